//! What players of the drill do.

game::verbs! {
    /// Says which concealed counter is the real one.
    HIDE = "hide", "Hide", "This concealed counter is the Guards; the other is the decoy.";
    /// Puts a unit on the map while setting up.
    PLACE = "place", "Place", "Place this unit on this hex.";
    /// Brings a reinforcement onto the map.
    ENTER = "enter", "Enter", "Bring this reinforcement onto the map here.";
    /// Takes a unit in hand.
    PICK = "pick", "Pick", "Take this unit in hand, to move it; another of its hex may go along.", held;
    /// Moves what is in hand.
    GO = "go", "Go", "Move along this path.";
    /// Leaves what is in hand where it is.
    STAY = "stay", "Stay", "Leave the picked units where they are for this turn.";
    /// Names the hex to attack.
    ATTACK = "attack", "Attack", "Attack this hex; then say with whom.", held;
    /// Adds an attacker.
    WITH = "add", "Join", "This unit joins the attack.", held;
    /// Fights the battle.
    RESOLVE = "resolve", "Resolve", "Throw the die.";
    /// Takes a step from a unit.
    LOSS = "loss", "Loss", "This unit loses a step.";
    /// Retreats a unit.
    RETREAT = "retreat", "Retreat", "This unit retreats to this hex.";
    /// Refuses to retreat.
    STAND = "stand", "Stand fast", "Hold the town: lose a step instead of retreating.";
    /// Advances into the hex that was won.
    ADVANCE = "advance", "Advance", "This unit advances into the hex that was won.";
    /// Ends a phase, or declines.
    DONE = "done", "Done", "Go on to what comes next.";
}
