package io.millrace.server.api;

import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.api.ServerInfo.Fault;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import io.millrace.store.StoreException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * A loader of sequence types, tasks and sequences from the JSON files of a folder. It registers
 * them as code would. An entry that cannot be used is skipped and reported, and the others are
 * registered.
 */
public final class SequenceFileLoader {

  private static final Logger LOG = LoggerFactory.getLogger(SequenceFileLoader.class);
  private static final int MAX_NAME = 100;

  /** The sections of a file, in the order in which they are registered. */
  private static final List<String> SECTIONS = List.of("types", "tasks", "sequences");

  /** An item of a section, such as that at {@code tasks[0]}. */
  private record Entry(String file, String section, int index, JsonNode value) {

    String place() {
      return section + "[" + index + "]";
    }

    /** Returns the place of the entry, and its own name if it has one. */
    String shown() {
      JsonNode name =
          switch (section) {
            case "types" -> value;
            case "tasks" -> value.path("name");
            default -> value.path("sequenceId");
          };
      return name.isString() ? place() + " '" + shortened(name.stringValue()) + "'" : place();
    }
  }

  /**
   * The result of loading the files.
   *
   * @param faults the entries that were skipped, and why
   * @param origins the name of the file of each registered sequence, by its id
   */
  public record Registered(List<Fault> faults, Map<String, String> origins) {
    public static final Registered NOTHING = new Registered(List.of(), Map.of());

    public Registered {
      faults = List.copyOf(faults);
      origins = Map.copyOf(origins);
    }
  }

  private final SequenceService sequenceService;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Entry> firsts = new HashMap<>();
  private final List<Fault> faults = new ArrayList<>();
  private final Map<String, String> origins = new HashMap<>();

  private SequenceFileLoader(SequenceService sequenceService) {
    this.sequenceService = sequenceService;
  }

  /**
   * Registers all types, then all tasks, then all sequences, each in the order of the file names.
   *
   * @param folder need not exist
   * @throws StoreException if the database does not answer
   */
  public static Registered register(Path folder, SequenceService sequenceService) {
    SequenceFileLoader files = new SequenceFileLoader(sequenceService);
    files.read(folder);
    files.register("types", files::type);
    files.register("tasks", files::task);
    files.register("sequences", files::sequence);
    return new Registered(files.faults, files.origins);
  }

  private void read(Path folder) {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(file -> file.toString().endsWith(".json")).sorted().forEach(this::readFile);
    } catch (IOException e) {
      leaveOut(folder.toString(), "It cannot be read; expected a folder: " + e);
    }
  }

  private void readFile(Path path) {
    String file = String.valueOf(path.getFileName());
    try {
      JsonNode content = StrictJson.read(file, Files.readString(path));
      if (content.isObject()) {
        content.propertyStream().forEach(s -> readSection(file, s.getKey(), s.getValue()));
      } else {
        leaveOut(file, "It must be a JSON object with some of " + SECTIONS + ".");
      }
    } catch (ProblemException e) {
      leaveOut(file, e.problem().detail());
    } catch (CharacterCodingException e) {
      leaveOut(file, "It must be JSON in UTF-8.");
    } catch (IOException e) {
      leaveOut(file, "It cannot be read; expected a file of JSON: " + e);
    }
  }

  private void readSection(String file, String name, JsonNode items) {
    if (!SECTIONS.contains(name)) {
      leaveOut(
          file + ": " + shortened(name), "It is unknown here; expected some of " + SECTIONS + ".");
    } else if (!items.isArray()) {
      leaveOut(file + ": " + name, "It must be a JSON array.");
    } else {
      int index = 0;
      for (JsonNode item : items) {
        entries.add(new Entry(file, name, index++, item));
      }
    }
  }

  private void register(String section, Consumer<Entry> how) {
    int registered = 0;
    for (Entry entry : entries) {
      if (entry.section().equals(section) && isRegistered(entry, how)) {
        registered++;
      }
    }
    if (registered > 0) {
      LOG.info("Registered {} {} from files", registered, section);
    }
  }

  /**
   * Registers an entry; false if it was skipped. An invalid entry never prevents the registration
   * of others.
   */
  private boolean isRegistered(Entry entry, Consumer<Entry> how) {
    try {
      how.accept(entry);
      return true;
    } catch (StoreException e) {
      if (!e.rejected()) {
        throw e;
      }
      leaveOut(entry.file() + ": " + entry.shown(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      leaveOut(entry.file() + ": " + entry.shown(), String.valueOf(e.getMessage()));
    }
    return false;
  }

  private void type(Entry entry) {
    if (!entry.value().isString()) {
      throw ProblemException.invalid(entry.place(), "must be a text, the name of a type.");
    }
    sequenceService.tasks().addType(entry.value().stringValue());
  }

  private void task(Entry entry) {
    Task task =
        SequenceJsonParser.task(
            JsonFields.of(entry.place(), entry.value(), SequenceJsonParser.TASK));
    once("task", task.name(), entry);
    sequenceService.tasks().save(task);
  }

  private void sequence(Entry entry) {
    TaskSequence sequence =
        SequenceJsonParser.sequence(
            JsonFields.of(entry.place(), entry.value(), SequenceJsonParser.SEQUENCE));
    once("sequence", sequence.sequenceId(), entry);
    sequenceService.save(sequence);
    origins.put(sequence.sequenceId(), entry.file());
  }

  /** Rejects a name that an earlier entry has; the first one counts. */
  private void once(String what, String name, Entry entry) {
    Entry first = firsts.putIfAbsent(what + " " + name, entry);
    if (first != null) {
      throw ProblemException.invalid(
          entry.place(),
          "is the "
              + what
              + " '"
              + name
              + "', as "
              + first.place()
              + " of "
              + first.file()
              + " is already; expected each in one place only.");
    }
  }

  private void leaveOut(String where, String why) {
    String problem = why.strip().replaceAll("\\s+", " ").replaceFirst("\\.?$", ".");
    LOG.warn("{} is not registered. {}", where, problem);
    faults.add(
        new Fault(
            "sequence",
            where + " is not registered",
            problem + " Mend the file, and start the server again."));
  }

  private static String shortened(String name) {
    String line = name.replaceAll("\\s+", " ");
    return line.length() > MAX_NAME ? line.substring(0, MAX_NAME) + "…" : line;
  }
}
