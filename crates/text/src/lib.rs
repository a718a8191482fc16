//! Reading our text files: TSV and TOML, folders laid over folders, faults with file and line.
