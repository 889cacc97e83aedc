import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { apiText, apiUrl } from "../../api/client";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";

/** The server's answer, unparsed, so that no number loses digits. */
export function RawTab({ id }: { id: number }) {
  const url = apiUrl("/instances/{id}", { id });
  const raw = useQuery({
    queryKey: ["instance", id, "raw"],
    queryFn: ({ signal }) => apiText("GET /instances/{id}", { path: { id }, signal }),
  });
  return (
    <Loaded query={raw}>
      {(text) => (
        <div className="padded">
          <p>
            <a className="button" href={url} download={`instance-${id}.json`}>
              <Download size={14} aria-hidden="true" /> Download
            </a>
          </p>
          <JsonText json={text} label={`Instance ${id}`} />
        </div>
      )}
    </Loaded>
  );
}
