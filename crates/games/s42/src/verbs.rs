//! The verbs of the game: every order begins with one.

game::verbs! {
    /// Takes a unit in hand.
    PICK = house::PICK;
    /// Takes everything in the hex that can go along.
    ALL = house::ALL;
    /// Moves what is in hand along a path.
    GO = house::GO;
    /// Leaves a unit of the hand behind.
    DROP = house::DROP;
    /// Leaves the map, or moves to another Entry Area.
    EXIT = "exit", "Enter area", "Go into this Entry Area.";
    /// Ends the move of what is in hand.
    STOP = house::STOP;
    /// Moves a unit by rail to a hex.
    RAIL = "rail", "Rail", "Move this unit by rail.";
    /// Moves a unit by sea to a port.
    SAIL = house::SAIL;
    /// Crosses the Kerch Strait.
    CROSS = "cross", "Cross the strait", "This unit crosses to Taman.";
    /// Names the hexside of the Volga Flotilla.
    FLOTILLA = "flotilla", "Volga Flotilla", "The Flotilla ferries units across this hexside.";
    /// Puts a unit into Full Retreat of its own will.
    FLEE = "flee", "Full Retreat", "Put this unit into Full Retreat before it moves.";
    /// Turns a Supply Point to its other side, or makes it mobile or not.
    FLIP = "flip", "Turn over", "Turn this Supply Point over.";
    /// Makes a Supply Point mobile, or immobile.
    SWITCH = "switch", "Switch", "Exchange a mobile Supply Point for an immobile one, or back.";
    /// Puts units in Reserve.
    RESERVE = "reserve", "Reserve", "The units in this hex that may go into Reserve.";
    /// Declares an Automatic DS.
    SHATTER = "shatter", "Automatic DS", "Shatter the defenders of this hex.";
    /// Removes a Fortification marker.
    RAZE = "raze", "Remove fort", "Remove your Fortification here.";
    /// Begins a Fortification.
    FORTIFY = "fortify", "Fortify", "Begin a Fortification here for a Resource Point.";
    /// Readies an ASU with a Resource Point.
    READY = "ready", "Make ready", "Turn this unit to its Ready side for a Resource Point.";
    /// Places a Supply Point.
    STOCK = "stock", "Place supply", "Place a Supply Point in this Entry Area for a Resource Point.";
    /// Begins a Planned Offensive.
    PLAN = "plan", "Plan offensive", "Place a Planned Offensive marker on this HQ for a Resource Point.";
    /// Spends a Supply Point to ready an ASU.
    SPEND = "spend", "Spend supply", "Remove a Supply Point here to turn this unit to its Ready side.";
    /// Places a unit: reinforcements, replacements, markers.
    PLACE = house::PLACE;
    /// Restores a step.
    RESTORE = "restore", "Replace", "This unit gets a step.";
    /// Takes a unit out of play.
    REMOVE = "remove", "Remove", "Remove this unit.";
    /// Releases a Reserve Army.
    RELEASE = "release", "Release", "This Reserve Army may move from now on.";
    /// Announces the Winter Offensive.
    WINTER = "winter", "Winter Offensive", "The Winter Offensive begins.";
    /// Moves a unit into or out of a Holding Box.
    TRANSFER = "transfer", "Transfer", "Move this unit to this box.";
    /// Reveals a unit of a Reserve Army.
    REVEAL = "reveal", "Reveal", "Place this unit on its Reserve Army.";
    /// Exchanges the markers of two Reserve Armies.
    SWAP = "swap", "Swap markers", "Exchange the markers of the army in hand and this one, or pretend to.";
    /// Assigns a marker to a Reserve Army.
    ASSIGN = "assign", "Assign", "This Reserve Army gets the next Holding Box.";
    /// Attacks a hex.
    ATTACK = "attack", "Attack", "Attack this hex.", held;
    /// Adds a unit to what is being put together.
    ADD = "add", "Add", "This unit takes part.", held;
    /// Takes a unit back out.
    LESS = "less", "Leave out", "This unit does not take part.";
    /// Uses an air unit.
    AIR = "air", "Air support", "This air unit supports the combat.";
    /// Uses an ASU or a Supply Point.
    SUPPORT = "support", "Support", "This unit supports the combat.";
    /// Uses a Planned Offensive.
    OFFENSIVE = "offensive", "Use the plan", "Use the Planned Offensive of this HQ: another die.";
    /// Rolls.
    RESOLVE = house::RESOLVE;
    /// Chooses one of several dice.
    DIE = "die", "Take this die", "This die counts.";
    /// Rolls again.
    REROLL = "reroll", "Roll again", "Use the leader to roll again.";
    /// Takes a step loss.
    LOSS = house::LOSS;
    /// Stands in a Determined Defense under this unit.
    LEAD = "lead", "Stand and lead", "Determined Defense with this unit in the lead.";
    /// Retreats along a path.
    RETREAT = "retreat", "Retreat", "Retreat along this path.";
    /// Stands in a Desperate Defense under this unit.
    DESPERATE = "desperate", "Stand desperately", "Desperate Defense with this unit in the lead: rolled until it holds or all are gone.";
    /// Goes back rather than stand.
    YIELD = "yield", "Give way", "No Determined Defense.";
    /// Forms or names the Breakthrough Group.
    GROUP = "group", "Breakthrough Group", "The group forms here.";
    /// Joins the Breakthrough Group, or enters a contested city.
    JOIN = "join", "Join", "This unit goes in.";
    /// Fights during an advance.
    FIGHT = "fight", "Break through", "The Breakthrough Group attacks this hex.";
    /// Enters the hex that was cleared.
    ENTER = "enter", "Enter", "The group enters the cleared hex.";
    /// Advances after an Automatic DS.
    EXPLOIT = "exploit", "Exploit", "Advance after the Automatic DS at this hex.";
    /// Keeps an air unit with a stack.
    ESCORT = "escort", "Stay with", "The air unit stays with this stack.";
    /// Activates a Reserve.
    COMMIT = "commit", "Commit reserve", "These units leave Reserve and advance.";
    /// Tries to disengage.
    DISENGAGE = "disengage", "Disengage", "Try to leave the enemy.";
    /// Keeps a unit in Full Retreat.
    KEEP = "keep", "Keep as it is", "This unit stays in Full Retreat.";
    /// Lets a unit recover.
    RALLY = "rally", "Rally", "This unit recovers.";
    /// Moves a Railhead forward.
    REPAIR = "repair", "Repair", "Move the Railhead along this line.";
    /// Gives up what is being put together.
    CANCEL = "cancel", "Cancel", "Give up this attack before it is made.";
    /// Declines something offered.
    PASS = "pass", "Decline", "Do without.";
    /// Ends what is being done.
    DONE = house::DONE;
}
