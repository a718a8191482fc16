//! People, their logins, and invitations. Tokens are stored as digests: who reads the store cannot use them.

use super::{Statement, Store, StoreFault, Value};

/// Someone with an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Its id.
    pub id: String,
    /// What others see.
    pub name: String,
    /// The digest of the password, as argon2 writes it.
    pub password: String,
    /// Settings as JSON.
    pub settings: String,
}

/// Someone who is signed in.
#[derive(Clone, Debug, PartialEq)]
pub struct Login {
    /// Who.
    pub person: String,
    /// Until when, in unix milliseconds.
    pub until: i64,
}

/// A seat that is offered to whoever has the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Invite {
    /// In which match.
    pub match_id: String,
    /// Which seat, or `watch`.
    pub seat: String,
}

/// The digest under which a token is stored.
pub fn digest(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().as_str().to_owned()
}

/// How a notice to other processes names a login that ended; matches are named by their plain id.
const ENDED: &str = "login/";

/// The login whose end a notice tells, if it does.
pub fn ended_login(notice: &str) -> Option<&str> {
    notice.strip_prefix(ENDED)
}

/// Names that look alike are one name.
fn fold(name: &str) -> String {
    name.to_lowercase()
}

fn person(r: &[Value]) -> Option<Person> {
    let [id, name, password, settings] = r else { return None };
    Some(Person { id: id.text(), name: name.text(), password: password.text(), settings: settings.text() })
}

impl Store {
    /// Adds a person; [`StoreFault::Taken`] when the name is in use.
    pub async fn add_person(&self, p: &Person, made: i64) -> Result<(), StoreFault> {
        self.one(Statement::new(
            "INSERT INTO people (id, folded, name, password, settings, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            [
                p.id.as_str().into(),
                fold(&p.name).into(),
                p.name.as_str().into(),
                p.password.as_str().into(),
                p.settings.as_str().into(),
                made.into(),
            ],
        ))
        .await
        .map(|_| ())
    }

    /// The person of a name.
    pub async fn person_named(&self, name: &str) -> Result<Option<Person>, StoreFault> {
        let sql = "SELECT id, name, password, settings FROM people WHERE folded = ?1";
        Ok(self.one(Statement::new(sql, [fold(name).into()])).await?.first().and_then(|r| person(r)))
    }

    /// The person of an id.
    pub async fn person(&self, id: &str) -> Result<Option<Person>, StoreFault> {
        let sql = "SELECT id, name, password, settings FROM people WHERE id = ?1";
        Ok(self.one(Statement::new(sql, [id.into()])).await?.first().and_then(|r| person(r)))
    }

    /// Changes a person's settings.
    pub async fn save_settings(&self, id: &str, settings: &str) -> Result<(), StoreFault> {
        let sql = "UPDATE people SET settings = ?1 WHERE id = ?2";
        self.one(Statement::new(sql, [settings.into(), id.into()])).await.map(|_| ())
    }

    /// Signs someone in, and forgets logins that ran out.
    pub async fn add_login(&self, token: &str, login: &Login, now: i64) -> Result<(), StoreFault> {
        self.run(vec![
            Statement::new("DELETE FROM logins WHERE until < ?1", [now.into()]),
            Statement::new(
                "INSERT INTO logins (token, person, until) VALUES (?1, ?2, ?3)",
                [digest(token).into(), login.person.as_str().into(), login.until.into()],
            ),
        ])
        .await
        .map(|_| ())
    }

    /// The login of a token.
    pub async fn login(&self, token: &str) -> Result<Option<Login>, StoreFault> {
        let found = self
            .one(Statement::new("SELECT person, until FROM logins WHERE token = ?1", [digest(token).into()]))
            .await?;
        Ok(found.first().and_then(|r| {
            let [person, until] = &r[..] else { return None };
            Some(Login { person: person.text(), until: until.int() })
        }))
    }

    /// Whether the login of a digest has not been signed out.
    pub async fn login_stands(&self, digest: &str) -> Result<bool, StoreFault> {
        let sql = "SELECT person FROM logins WHERE token = ?1";
        Ok(!self.one(Statement::new(sql, [digest.into()])).await?.is_empty())
    }

    /// Signs a token out, and tells the other processes.
    pub async fn drop_login(&self, token: &str) -> Result<(), StoreFault> {
        let token = digest(token);
        let drop = Statement::new("DELETE FROM logins WHERE token = ?1", [token.as_str().into()]);
        self.run(std::iter::once(drop).chain(self.db.announce(&format!("{ENDED}{token}"))).collect())
            .await
            .map(|_| ())
    }

    /// Offers a seat.
    pub async fn add_invite(&self, token: &str, i: &Invite, made: i64) -> Result<(), StoreFault> {
        self.one(Statement::new(
            "INSERT INTO invites (token, match_id, seat, made) VALUES (?1, ?2, ?3, ?4)",
            [digest(token).into(), i.match_id.as_str().into(), i.seat.as_str().into(), made.into()],
        ))
        .await
        .map(|_| ())
    }

    /// The offer of a token.
    pub async fn invite(&self, token: &str) -> Result<Option<Invite>, StoreFault> {
        let sql = "SELECT match_id, seat FROM invites WHERE token = ?1";
        Ok(self.one(Statement::new(sql, [digest(token).into()])).await?.first().and_then(|r| {
            let [match_id, seat] = &r[..] else { return None };
            Some(Invite { match_id: match_id.text(), seat: seat.text() })
        }))
    }
}
