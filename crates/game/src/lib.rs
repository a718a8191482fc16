//! The contract between games and everything else; journal, dice, undo, situations, ledger.
