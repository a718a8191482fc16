//! Programs in seats: they think beside the play and answer through the same door as people.

use super::change::{Actor, Deeds};
use super::playing::Thinking;
use super::{Inner, Live};
use crate::body::{Holder, SeatId};
use crate::message::Told;
use crate::notice::Notice;
use crate::opponent::{Progress, Random, Seated, Watch};
use crate::{Fault, House};
use game::{Choice, Eyes, Position, QuickDice};
use std::sync::Arc;
use std::time::Duration;
use table::Side;

/// A question put to a program.
struct Task {
    seat: SeatId,
    name: String,
    program: Box<dyn Seated>,
    position: Box<dyn Position>,
    n: u32,
    watch: Arc<Watch>,
    seed: u64,
}

impl House {
    /// Lets a program think if it is asked and none thinks yet.
    pub async fn stir(self: &Arc<Self>, live: &Arc<Live>) {
        let task = {
            let mut inner = live.inner.lock().await;
            self.task(live, &mut inner)
        };
        if let Some(task) = task {
            let (house, live) = (Arc::clone(self), Arc::clone(live));
            tokio::spawn(async move { house.think(&live, task).await });
        }
    }

    /// The question to the program that is asked now, if one is.
    fn task(self: &Arc<Self>, live: &Arc<Live>, inner: &mut Inner) -> Option<Task> {
        let playing = inner.playing.as_mut()?;
        if playing.thinking.is_some() || playing.over() {
            return None;
        }
        let position = playing.session.position();
        let side = position.asks()?;
        let (seat, program) = playing.body.seats.iter().find_map(|(seat, holder)| match holder {
            Holder::Program(p) if seat.side == side => Some((*seat, p.clone())),
            _ => None,
        })?;
        let Some(known) = self.opponents.find(&program.id) else {
            tracing::error!("match {}: there is no program '{}'", live.id, program.id);
            return None;
        };
        let time = program.seconds.or(known.about().seconds).map(|s| Duration::from_secs(s.into()));
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).ok()?;
        let seed = u64::from_le_bytes(bytes);
        // What the program may not know is drawn anew: it cannot peek even if it would.
        let imagined = position.imagine(Eyes::Side(side), &mut QuickDice::new(seed));
        let (house, there) = (Arc::downgrade(self), Arc::downgrade(live));
        let handle = tokio::runtime::Handle::current();
        let watch = Watch::new(time, move |progress| {
            if let (Some(house), Some(live)) = (house.upgrade(), there.upgrade()) {
                handle.spawn(async move { house.thinking(&live, seat, &progress, false).await });
            }
        });
        playing.thinking = Some(Thinking { seat, watch: Arc::clone(&watch) });
        let n = playing.session.question_number();
        let seated = playing.programs().remove(&seat).unwrap_or_else(|| known.sit());
        Some(Task { seat, name: program.id, program: seated, position: imagined, n, watch, seed })
    }

    /// Thinks, answers, and goes on while programs are asked.
    async fn think(self: &Arc<Self>, live: &Arc<Live>, mut task: Task) {
        let mut seat;
        loop {
            seat = task.seat;
            let (n, side) = (task.n, task.seat.side);
            let thought = tokio::task::spawn_blocking(move || {
                let found = task.program.choose(&*task.position, side, task.seed, &task.watch);
                let choice = fit(&*task.position, found).or_else(|| {
                    tracing::error!("{} gave no legal choice; a random one is played", task.name);
                    Random.choose(&*task.position, side, task.seed, &task.watch)
                });
                (choice.map(|c| task.position.lexicon().write(&c)), task.program)
            });
            let (text, program) = match thought.await {
                Ok((text, program)) => (text, Some(program)),
                Err(e) => {
                    tracing::error!("a program ended early: {e}");
                    (None, None)
                }
            };
            let mut inner = live.inner.lock().await;
            if let Some(p) = inner.playing.as_mut() {
                p.thinking = None;
                p.programs().extend(program.map(|program| (seat, program)));
            }
            let Some(text) = text else { return };
            let played =
                self.change(&mut inner, &live.id, &Actor::Program(seat), n, &Deeds::Play(text)).await;
            if let Err(fault) = played {
                tracing::warn!("match {}: the choice of a program was refused: {}", live.id, fault.why);
                if !matches!(fault.code, crate::Code::Stale) {
                    return;
                }
            }
            match self.task(live, &mut inner) {
                Some(next) => task = next,
                None => break,
            }
        }
        self.thinking(live, seat, &Progress { share: 1.0, text: String::new() }, true).await;
    }

    async fn thinking(&self, live: &Live, seat: SeatId, progress: &Progress, over: bool) {
        let mut inner = live.inner.lock().await;
        let text = Told::Thinking { seat, share: progress.share, text: progress.text.clone(), over }.text();
        for id in inner.viewers.keys().copied().collect::<Vec<_>>() {
            inner.tell(id, text.clone());
        }
    }

    /// Tells the thinking program to choose now.
    pub(super) async fn stop(&self, live: &Live, viewer: u64, seat: Option<SeatId>) -> Result<(), Fault> {
        let inner = live.inner.lock().await;
        if inner.viewers.get(&viewer).is_none_or(|v| v.seats.is_empty()) {
            return Err(Fault::forbidden("only those who play may stop a program"));
        }
        match inner.playing.as_ref().and_then(|p| p.thinking.as_ref()) {
            Some(t) if seat.is_none_or(|s| s == t.seat) => {
                t.watch.stop();
                Ok(())
            }
            _ => Err(Fault::unknown("no program thinks there now")),
        }
    }

    /// After the question went to the other side: clocks are shown anew and those who are away are told.
    pub(super) fn turned(self: &Arc<Self>, inner: &mut Inner, was: Option<Side>, is: Option<Side>) {
        if was == is {
            return;
        }
        let Some(playing) = inner.playing.as_ref() else { return };
        if playing.body.clock.is_some() || is.is_none() {
            self.broadcast_match(inner);
        }
        let Some(playing) = inner.playing.as_ref() else { return };
        let Some(side) = is.filter(|_| self.config.club) else { return };
        let here = super::playing::here(inner);
        let away: Vec<String> = playing
            .body
            .seats
            .iter()
            .filter_map(|(seat, h)| match h {
                Holder::Person { id, .. } if seat.side == side && !here.contains(id) => Some(id.clone()),
                _ => None,
            })
            .collect();
        let name = playing.session.sides()[side.ix()].name;
        let notice = Notice {
            kind: "your_turn",
            match_id: playing.row.id.clone(),
            title: playing.body.title.clone(),
            side: name.into(),
            link: self.messenger.link(&playing.row.id),
        };
        for person in away {
            let (house, notice) = (Arc::clone(self), notice.clone());
            tokio::spawn(async move {
                match house.settings_of(&person).await {
                    Ok(settings) => house.messenger.send(&settings, &notice).await,
                    Err(f) => tracing::warn!("a notice was not sent: {}", f.why),
                }
            });
        }
    }
}

/// A choice that is legal in the position it was made for.
fn fit(position: &dyn Position, choice: Option<Choice>) -> Option<Choice> {
    choice.filter(|c| position.why_not(c).is_none())
}
