//! The verbs of the game: every order begins with one.

game::verbs! {
    /// Puts a unit on a hex or into a box: set-up, arrivals.
    PLACE = house::PLACE;
    /// Places all that is left, legally and in a fixed order.
    FILL = "fill", "Fill the rest", "Place everything that is left, legally.";
    /// Keeps an arriving unit in the RVGK.
    HOLD = "hold", "Hold", "Keep this unit in the Reserve of the Supreme High Command.";
    /// Makes a unit into Guards.
    CONVERT = "convert", "Convert to Guards", "Replace this unit by a Guards unit of its type.";
    /// Calls out three security divisions.
    SECURITY = "security", "Call out security", "Call out three security divisions for one VP.";
    /// Calls out the siege artillery.
    ARKO = "arko", "Organize ArKo", "Place the siege artillery in this town.";
    /// Concentrates supply.
    CONCENTRATE = "concentrate", "Concentrate supply", "Concentrate all supply on eighteen units.";
    /// Gives a unit concentrated supply.
    MARK = "mark", "Give supply", "This unit gets concentrated supply.";
    /// Drops supplies by air.
    AIRLIFT = "airlift", "Supply by air", "This stack is supplied by air.";
    /// Declares the pause.
    PAUSE = "pause", "Declare a pause", "Stage supply forward: no German attacks for three couplets.";
    /// Breaks the pause off.
    ABORT = "abort", "Break off the pause", "End the pause now, without its benefit.";
    /// Restores a step of infantry.
    REPLACE = "replace", "Replace", "Bring this division back to full strength.";
    /// Refits a mechanized division.
    REFIT = "refit", "Refit", "Refit this division: it rolls for steps and stays put this turn.";
    /// Gives a unit up.
    WITHDRAW = "withdraw", "Withdraw", "Withdraw this unit from the campaign.";
    /// Refuses a withdrawal.
    DECLINE = "decline", "Decline", "Keep the unit and lose one VP.";
    /// Commits aircraft.
    SUPPORT = "support", "Support", "These aircraft support this stack.";
    /// Forms a hedgehog.
    HEDGEHOG = "hedgehog", "Hedgehog", "The units here form a hedgehog.";
    /// Moves a unit by sea.
    SAIL = house::SAIL;
    /// Lands a unit on a hostile coast.
    INVADE = "invade", "Invade", "This unit lands here.";
    /// Takes a unit in hand.
    PICK = house::PICK;
    /// Takes another unit in hand.
    ADD = "add", "Add", "This unit goes along.", held;
    /// Takes everything that can go along.
    ADDALL = house::ALL;
    /// Takes aircraft or air supply along.
    ESCORT = "escort", "Take along", "This marker goes with the units in hand.", held;
    /// Moves what is in hand.
    GO = house::GO;
    /// Leaves a unit behind.
    DROP = house::DROP;
    /// Assaults on the move.
    ASSAULT = "assault", "Mobile assault", "Enter this hex and fight there.";
    /// Runs another round of a mobile assault.
    AGAIN = "again", "Another round", "Assault again.";
    /// Goes back to the launch hex.
    BACK = "back", "Fall back", "Go back to where the assault began.";
    /// Ends a move.
    STOP = house::STOP;
    /// Lays the units in hand on top of their stack.
    TOP = "top", "Lay on top", "Lay these units on top of their stack, the last picked uppermost, without moving: the top unit is what the enemy sees.";
    /// Moves a unit between the OKH areas.
    SHIFT = "shift", "Shift", "Send this unit to the other OKH area.";
    /// Begins a prepared assault.
    ATTACK = "attack", "Attack", "Prepare an assault on this hex.", held;
    /// Rolls.
    RESOLVE = house::RESOLVE;
    /// Takes a step loss.
    LOSS = house::LOSS;
    /// Retreats.
    RETREAT = "retreat", "Retreat", "All defenders go back here, for one loss.";
    /// Advances after combat.
    ADVANCE = "advance", "Advance", "This unit advances into the hex.";
    /// Removes an enemy unit from an overfull hex.
    REMOVE = "remove", "Remove", "This unit is one too many and is removed.";
    /// Ends what is being done.
    DONE = house::DONE;
}
