//! Time zones as in Ruby's date library: offsets, and abbreviations from a built-in table.
//!
//! Unlike the table of the system, it has no names such as `Europe/Berlin`, and abbreviations are
//! unambiguous.

/// The error for a time zone that Ruby may support but that is unknown here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownZone;

/// A time zone at the start of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// The length in bytes.
    pub len: usize,
    /// The offset from UTC in seconds; `None` for an unknown abbreviation.
    pub offset: Option<i64>,
}

/// Parses a time zone at the start of a string; `None` if there is none.
///
/// # Errors
///
/// If it is a longer name, which Ruby may support.
pub fn zone(text: &str) -> Result<Option<Zone>, UnknownZone> {
    let letters = text
        .find(|it: char| !it.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(letters);
    let word = word.to_ascii_lowercase();
    if rest.starts_with(['+', '-']) && matches!(&*word, "" | "gmt" | "utc" | "ut") {
        let Some((len, seconds)) = numeric(rest) else {
            return if word.is_empty() {
                Ok(None)
            } else {
                named(&word, rest)
            };
        };
        let offset = seconds.filter(|_| word != "ut");
        if seconds.is_none() {
            return Err(UnknownZone);
        }
        let len = word.len() + len;
        return Ok(Some(Zone { len, offset }));
    }
    if word.is_empty() {
        // A string that starts with a dot is a time zone only with `standard time` or the like.
        let lower = text.to_ascii_lowercase();
        let said = lower.contains("standard") || lower.contains("daylight");
        return if text.starts_with(char::is_alphabetic) || text.starts_with('.') && said {
            Err(UnknownZone)
        } else {
            Ok(None)
        };
    }
    named(&word, rest)
}

/// Parses a named time zone.
fn named(word: &str, rest: &str) -> Result<Option<Zone>, UnknownZone> {
    /// The maximum length of a name in the table.
    const LONGEST: usize = 5;
    let lower = rest.to_ascii_lowercase();
    let more = lower.contains("standard") || lower.contains("daylight");
    if word.len() > LONGEST || more || rest.starts_with(|it: char| !it.is_ascii()) {
        return Err(UnknownZone);
    }
    if rest.starts_with(|it: char| it.is_ascii_digit() || it == '_') {
        return Ok(None);
    }
    let found = ZONES.binary_search_by(|(name, _)| (*name).cmp(word));
    let base = found
        .ok()
        .and_then(|it| ZONES.get(it))
        .map(|it| i64::from(it.1) * 60);
    let word_end = |it: &str| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    if let Some(after) = lower.strip_prefix(" dst").filter(|it| word_end(it)) {
        let len = word.len() + rest.len() - after.len();
        return Ok(Some(Zone {
            len,
            offset: base.map(|it| it + 3600),
        }));
    }
    Ok(Some(Zone {
        len: word.len(),
        offset: base,
    }))
}

/// Parses `+hours`, `+hours:minutes`, `+hours:minutes:seconds`, or the same without colons. Returns
/// the length and the seconds, which are `None` for an unsupported fraction of an hour.
fn numeric(text: &str) -> Option<(usize, Option<i64>)> {
    /// The maximum number of digits.
    const LONGEST: usize = 6;
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = |at: usize| {
        let tail = text.get(at..).unwrap_or_default();
        let end = tail
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(tail.len());
        &tail[..end]
    };
    let first = digits(1);
    if first.is_empty() {
        return None;
    }
    let mut end = 1 + first.len();
    let mark = text[end..].chars().next().filter(|it| ",.:".contains(*it));
    let second = mark.map_or("", |_| digits(end + 1));
    let number = |it: &str| {
        if it.len() <= LONGEST {
            it.parse::<i64>().ok()
        } else {
            None
        }
    };
    if second.is_empty() {
        let odd = first.len() % 2;
        let seconds = match first.len() {
            1 | 2 => number(first).map(|it| it * 3600),
            3..=6 => {
                let (hours, rest) = first.split_at(2 - odd);
                let (minutes, seconds) = rest.split_at(2);
                let seconds = if seconds.is_empty() { "0" } else { seconds };
                let (hours, minutes) = (number(hours)?, number(minutes)?);
                Some(hours * 3600 + minutes * 60 + number(seconds)?)
            }
            _ => None,
        };
        return Some((end, seconds.map(|it| sign * it)));
    }
    end += 1 + second.len();
    if mark != Some(':') {
        return Some((end, None));
    }
    let mut seconds = "0";
    if text[end..].starts_with(':') && !digits(end + 1).is_empty() {
        seconds = digits(end + 1);
        end += 1 + seconds.len();
    }
    let all = (number(first), number(second), number(seconds));
    let total = match all {
        (Some(hours), Some(minutes), Some(seconds)) => Some(hours * 3600 + minutes * 60 + seconds),
        _ => None,
    };
    Some((end, total.map(|it| sign * it)))
}

/// The abbreviations of up to five letters, sorted, with their offsets from UTC in minutes.
#[rustfmt::skip]
static ZONES: &[(&str, i16)] = &[
    ("a", 60),
    ("acdt", 630),
    ("acst", 570),
    ("act", -300),
    ("acwst", 525),
    ("adt", -180),
    ("aedt", 660),
    ("aest", 600),
    ("aft", 270),
    ("ahst", -600),
    ("akdt", -480),
    ("akst", -540),
    ("almt", 360),
    ("anast", 720),
    ("anat", 720),
    ("aoe", -720),
    ("aqtt", 300),
    ("arab", 180),
    ("art", -180),
    ("ast", -240),
    ("at", -120),
    ("awdt", 540),
    ("awst", 480),
    ("azost", 0),
    ("azot", -60),
    ("azst", 300),
    ("azt", 240),
    ("b", 120),
    ("bnt", 480),
    ("bot", -240),
    ("brst", -120),
    ("brt", -180),
    ("bst", 60),
    ("bt", 180),
    ("btt", 360),
    ("c", 180),
    ("cast", 480),
    ("cat", 120),
    ("cct", 390),
    ("cdt", -300),
    ("cest", 120),
    ("cet", 60),
    ("chadt", 825),
    ("chast", 765),
    ("china", 480),
    ("chost", 540),
    ("chot", 480),
    ("chst", 600),
    ("chut", 600),
    ("cidst", -240),
    ("cist", -300),
    ("ckt", -600),
    ("clst", -180),
    ("clt", -240),
    ("cot", -300),
    ("cst", -360),
    ("cvt", -60),
    ("cxt", 420),
    ("d", 240),
    ("davt", 420),
    ("ddut", 600),
    ("e", 300),
    ("eadt", 660),
    ("easst", -300),
    ("east", -360),
    ("eat", 180),
    ("ect", -300),
    ("edt", -240),
    ("eest", 180),
    ("eet", 120),
    ("egst", 0),
    ("egt", -60),
    ("egypt", 120),
    ("est", -300),
    ("f", 360),
    ("fet", 180),
    ("fiji", 720),
    ("fjst", 780),
    ("fjt", 720),
    ("fkst", -180),
    ("fkt", -240),
    ("fle", 120),
    ("fnt", -120),
    ("fst", 120),
    ("fwt", 60),
    ("g", 420),
    ("galt", -360),
    ("gamt", -540),
    ("get", 240),
    ("gft", -180),
    ("gilt", 720),
    ("gmt", 0),
    ("gst", 600),
    ("gtb", 120),
    ("gyt", -240),
    ("h", 480),
    ("hadt", -540),
    ("hast", -600),
    ("hdt", -540),
    ("hkt", 480),
    ("hovst", 480),
    ("hovt", 420),
    ("hst", -600),
    ("i", 540),
    ("ict", 420),
    ("idle", 720),
    ("idlw", -720),
    ("idt", 180),
    ("india", 330),
    ("iot", 360),
    ("iran", 210),
    ("irdt", 270),
    ("irkst", 540),
    ("irkt", 480),
    ("irst", 210),
    ("ist", 330),
    ("jst", 540),
    ("k", 600),
    ("kgt", 360),
    ("korea", 540),
    ("kost", 660),
    ("krast", 480),
    ("krat", 420),
    ("kst", 540),
    ("kuyt", 240),
    ("l", 660),
    ("lhdt", 660),
    ("lhst", 630),
    ("lint", 840),
    ("m", 720),
    ("magst", 720),
    ("magt", 660),
    ("mart", -510),
    ("mawt", 300),
    ("mdt", -360),
    ("mest", 120),
    ("mesz", 120),
    ("met", 60),
    ("mewt", 60),
    ("mez", 60),
    ("mht", 720),
    ("mmt", 390),
    ("msd", 240),
    ("msk", 180),
    ("mst", -420),
    ("mut", 240),
    ("mvt", 300),
    ("myt", 480),
    ("n", -60),
    ("nct", 660),
    ("ndt", -90),
    ("nepal", 345),
    ("nfdt", 720),
    ("nft", 660),
    ("novst", 420),
    ("novt", 420),
    ("npt", 345),
    ("nrt", 720),
    ("nst", -150),
    ("nt", -660),
    ("nut", -660),
    ("nzdt", 780),
    ("nzst", 720),
    ("nzt", 720),
    ("o", -120),
    ("omsst", 420),
    ("omst", 360),
    ("orat", 300),
    ("p", -180),
    ("pdt", -420),
    ("pet", -300),
    ("petst", 720),
    ("pett", 720),
    ("pgt", 600),
    ("phot", 780),
    ("pht", 480),
    ("pkt", 300),
    ("pmdt", -120),
    ("pmst", -180),
    ("pont", 660),
    ("pst", -480),
    ("pwt", 540),
    ("pyst", -180),
    ("q", -240),
    ("qyzt", 360),
    ("r", -300),
    ("ret", 240),
    ("rott", -180),
    ("s", -360),
    ("sakt", 660),
    ("samoa", -660),
    ("samt", 240),
    ("sast", 120),
    ("sbt", 660),
    ("sct", 240),
    ("sgt", 480),
    ("sret", 660),
    ("srt", -180),
    ("sst", -660),
    ("swt", 60),
    ("syot", 180),
    ("t", -420),
    ("taht", -600),
    ("tft", 300),
    ("tjt", 300),
    ("tkt", 780),
    ("tlt", 540),
    ("tmt", 300),
    ("tokyo", 540),
    ("tonga", 780),
    ("tost", 840),
    ("tot", 780),
    ("trt", 180),
    ("tvt", 720),
    ("u", -480),
    ("ulast", 540),
    ("ulat", 480),
    ("ut", 0),
    ("utc", 0),
    ("uyst", -120),
    ("uyt", -180),
    ("uzt", 300),
    ("v", -540),
    ("vet", -240),
    ("vlast", 660),
    ("vlat", 600),
    ("vost", 360),
    ("vut", 660),
    ("w", -600),
    ("wadt", 480),
    ("wakt", 720),
    ("warst", -180),
    ("wast", 120),
    ("wat", 60),
    ("west", 60),
    ("wet", 0),
    ("wft", 720),
    ("wgst", -120),
    ("wgt", -180),
    ("wib", 420),
    ("wit", 540),
    ("wita", 480),
    ("wt", 0),
    ("x", -660),
    ("y", -720),
    ("yakst", 600),
    ("yakt", 540),
    ("yapt", 600),
    ("ydt", -480),
    ("yekst", 360),
    ("yekt", 300),
    ("yst", -540),
    ("z", 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_zones_like_ruby() {
        let offset = |text| zone(text).map(|it| it.and_then(|it| it.offset));
        let cases = [
            ("UTC", Some(0)),
            ("cest", Some(7200)),
            ("CET DST", Some(7200)),
            ("GMT+3", Some(10_800)),
            ("UT+1", None),
            ("+0530", Some(19_800)),
            ("-12345", Some(-5025)),
            ("+05:30:15", Some(19_815)),
            ("+5", Some(18_000)),
            ("foo", None),
            ("EST5", None),
            ("+", None),
        ];
        for (text, expected) in cases {
            assert_eq!(offset(text), Ok(expected), "{text}");
        }
        assert_eq!(offset("Central Daylight Time"), Err(UnknownZone));
        assert!(ZONES.is_sorted());
    }
}
