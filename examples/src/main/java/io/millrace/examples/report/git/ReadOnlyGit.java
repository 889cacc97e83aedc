package io.millrace.examples.report.git;

import java.util.Locale;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * A JGit configuration that keeps JGit from writing. By default JGit measures the clock of a file
 * system by creating files beside the repository's, stores the result in the home folder, and
 * starts the git program to find configuration.
 */
final class ReadOnlyGit extends SystemReader.Delegate {

  private ReadOnlyGit(SystemReader system) {
    super(system);
  }

  static synchronized void install() {
    if (!(SystemReader.getInstance() instanceof ReadOnlyGit)) {
      SystemReader.setInstance(new ReadOnlyGit(SystemReader.getInstance()));
    }
  }

  @Override
  public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
    return new FixedConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
    return new FixedConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
    return new FixedConfig(parent, fs);
  }

  /**
   * A configuration that is in no file, and contains the values that JGit would otherwise measure.
   */
  private static final class FixedConfig extends FileBasedConfig {

    FixedConfig(@Nullable Config parent, FS fs) {
      super(parent, null, fs);
    }

    @Override
    public @Nullable String getString(String section, @Nullable String subsection, String name) {
      return switch (section + "." + name.toLowerCase(Locale.ROOT)) {
        case "filesystem.timestampresolution" -> "2 seconds";
        case "filesystem.minracythreshold" -> "0 seconds";
        default -> super.getString(section, subsection, name);
      };
    }

    @Override
    public boolean isOutdated() {
      return false;
    }

    @Override
    public void load() {}

    @Override
    public void save() {}
  }
}
