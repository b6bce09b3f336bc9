//! Names in the examples of documentation comments, which are Puppet code in the lines after `@example`.

use base::{EnvironmentInput, FileId, FileInput, ModuleOrigin};
use hir::autoload::all_definitions;
use hir::{Item, ItemKind, canonical_name};
use library::{KnownFunction, NamedEntity};
use salsa::Database;
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr, ResourceBody, ResourceExpr};
use syntax::{Dialect, Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

/// Returns the edits of the names of a definition in examples; `new` maps the written name to its replacement.
pub(super) fn of_item(
    db: &dyn Database,
    item: Item<'_>,
    new: impl Fn(&str) -> String,
) -> Vec<(FileId, Edit)> {
    let (old, kind) = (item.name(db).as_str(), item.kind(db));
    let Some(environment) = item.file(db).environment(db) else {
        return Vec::new();
    };
    let all = all_definitions(db, environment);
    let is_only = all.keys().all(|(it, name)| name != old || *it == kind);
    let is_unique = is_only && old.contains("::");
    in_examples(db, environment, old, |token| {
        let name = Name::of(token)?;
        let rest = name.canonical.strip_prefix(old)?;
        let is_name = match rest {
            "" => is_unique || kind_of_use(token) == Some(kind),
            // A variable of the class, or a key of data.
            _ => {
                let member = rest.strip_prefix("::")?;
                let is_written = token.kind() == SyntaxKind::VARIABLE || is_data_key(token);
                let is_member = is_written && !member.contains("::") && kind == ItemKind::Class;
                let mut others = all.keys();
                is_member && others.all(|it| it.1 != name.canonical)
            }
        };
        let range = TextRange::at(name.start, TextSize::of(old));
        let written = token.text();
        let start = usize::from(name.start - token.text_range().start());
        is_name.then(|| (range, new(&written[start..start + old.len()])))
    })
}

/// Returns the edits of the names of a parameter of a class or defined type in examples.
pub(super) fn of_parameter(
    db: &dyn Database,
    item: Item<'_>,
    old: &str,
    new: &str,
) -> Vec<(FileId, Edit)> {
    let Some(environment) = item.file(db).environment(db) else {
        return Vec::new();
    };
    let owner = item.name(db).as_str();
    let full = format!("{owner}::{old}");
    let is_class = item.kind(db) == ItemKind::Class;
    in_examples(db, environment, old, |token| {
        let range = token.text_range();
        if is_attribute(token, is_class, owner) {
            let is_old = token.text() == old;
            return is_old.then(|| (range, new.to_owned()));
        }
        let name = Name::of(token).filter(|it| is_class && it.canonical == full)?;
        let start = name.start + TextSize::of(owner) + TextSize::of("::");
        Some((TextRange::at(start, TextSize::of(old)), new.to_owned()))
    })
}

/// A name in a token, without quotes, a dollar sign and leading colons.
struct Name {
    canonical: String,
    start: TextSize,
}

impl Name {
    fn of(token: &SyntaxToken) -> Option<Name> {
        use SyntaxKind::*;
        if !matches!(
            token.kind(),
            NAME | CLASSREF | VARIABLE | SINGLE_QUOTED | DOUBLE_QUOTED
        ) {
            return None;
        }
        let text = token.text().trim_end_matches(['\'', '"']);
        let name = text.trim_start_matches(['\'', '"', '$']);
        let name = name.strip_prefix("::").unwrap_or(name);
        let before = &text[..text.len() - name.len()];
        Some(Name {
            canonical: canonical_name(name),
            start: token.text_range().start() + TextSize::of(before),
        })
    }
}

/// Returns the kind of definition that a token refers to, judged by the code around it.
fn kind_of_use(token: &SyntaxToken) -> Option<ItemKind> {
    let node = token.parent()?;
    let parent = node.parent()?;
    if node.kind() == SyntaxKind::QUALIFIED_REFERENCE {
        return Some(match parent.kind() {
            SyntaxKind::ACCESS_EXPR
            | SyntaxKind::COLLECT_EXPR
            | SyntaxKind::RESOURCE_DEFAULTS
            | SyntaxKind::RESOURCE_OVERRIDE => ItemKind::DefinedType,
            _ => ItemKind::TypeAlias,
        });
    }
    if let Some(resource) = ResourceExpr::cast(parent.clone()) {
        let type_name = resource.type_name()?;
        return (type_name.syntax() == &node).then_some(ItemKind::DefinedType);
    }
    match parent.kind() {
        SyntaxKind::RESOURCE_BODY => is_class_body(&parent).then_some(ItemKind::Class),
        SyntaxKind::ACCESS_KEYS => {
            let base = AccessExpr::cast(parent.parent()?)?.base()?;
            is_class_type(&base).then_some(ItemKind::Class)
        }
        SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL => Some(ItemKind::Function),
        SyntaxKind::ARGUMENT_LIST => {
            let Expr::CallExpr(call) = Expr::cast(parent.parent()?)? else {
                return None;
            };
            let function = canonical_name(call.name_token()?.text());
            let names = KnownFunction::from_name(&function)?.names()?;
            (names == NamedEntity::Class).then_some(ItemKind::Class)
        }
        _ => None,
    }
}

/// Checks whether a token is a plain name before a colon.
fn is_data_key(token: &SyntaxToken) -> bool {
    let next = token.next_token();
    token.kind() == SyntaxKind::NAME && next.is_some_and(|it| it.kind() == SyntaxKind::COLON)
}

fn is_class_type(base: &Expr) -> bool {
    matches!(base, Expr::QualifiedReference(it) if canonical_name(&it.text()) == "class")
}

/// Checks whether a resource body declares a class.
fn is_class_body(body: &SyntaxNode) -> bool {
    let resource = body.parent().and_then(ResourceExpr::cast);
    resource.is_some_and(|it| it.class_keyword().is_some())
}

/// Checks whether a token is the name of an attribute of a class or a defined type.
fn is_attribute(token: &SyntaxToken, is_class: bool, owner: &str) -> bool {
    let attribute = token.parent().and_then(Attribute::cast);
    let attribute = attribute.filter(|it| it.name_token().as_ref() == Some(token));
    let body = attribute.and_then(|it| ResourceBody::cast(it.syntax().parent()?));
    let named = body.and_then(|body| match is_class_body(body.syntax()) {
        true => body.title().filter(|_| is_class)?.plain_text(),
        false => match ResourceExpr::cast(body.syntax().parent()?)?.type_name()? {
            Expr::QualifiedName(it) if !is_class => Some(it.text()),
            _ => None,
        },
    });
    named.is_some_and(|it| canonical_name(&it) == owner)
}

/// Returns the edits of the tokens in the examples of the workspace.
fn in_examples(
    db: &dyn Database,
    environment: EnvironmentInput,
    word: &str,
    edit: impl Fn(&SyntaxToken) -> Option<(TextRange, String)>,
) -> Vec<(FileId, Edit)> {
    let mut found = Vec::new();
    for file in own_manifests(db, environment) {
        let text = file.text(db).as_deref().unwrap_or_default();
        if !text.contains(TAG) || !text.to_ascii_lowercase().contains(word) {
            continue;
        }
        for (start, code) in examples(text) {
            let parsed = syntax::parse(&code, Dialect::default());
            let tokens = parsed.syntax().descendants_with_tokens();
            let tokens = tokens.filter_map(|it| it.into_token());
            found.extend(tokens.filter_map(|it| edit(&it)).map(|(range, text)| {
                let range = range + start;
                (file.id(db), Edit { range, text })
            }));
        }
    }
    found
}

/// Returns the manifests of the workspace.
fn own_manifests(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> impl Iterator<Item = FileInput> {
    let modules = environment.modules(db).values();
    let own = modules.filter(move |it| it.origin(db) == ModuleOrigin::Workspace);
    let files = own.flat_map(move |it| it.files(db).iter());
    let in_modules = files.filter(|it| it.0.ends_with(".pp")).map(|it| *it.1);
    in_modules.chain(environment.manifests(db).iter().copied())
}

/// The tag that starts an example.
const TAG: &str = "@example";

/// Returns the code of the examples in comments, with its offset. All else in its lines is replaced by blanks.
fn examples(text: &str) -> Vec<(TextSize, String)> {
    let mut found: Vec<(TextSize, String)> = Vec::new();
    let mut is_inside = false;
    let mut at = TextSize::default();
    for line in text.split_inclusive('\n') {
        let comment = line.trim_start().strip_prefix('#');
        let content = comment.map(|it| it.trim_start_matches(' '));
        let is_indented = comment.is_some_and(|it| it.starts_with("  "));
        let is_blank = content.is_some_and(|it| it.trim().is_empty());
        if content.is_some_and(|it| it.starts_with(TAG)) {
            is_inside = true;
            found.push((at + TextSize::of(line), String::new()));
        } else if is_inside && (is_indented || is_blank) {
            let code = line.replacen('#', " ", 1);
            found
                .last_mut()
                .expect("an example has begun")
                .1
                .push_str(&code);
        } else {
            is_inside = false;
        }
        at += TextSize::of(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use syntax::apply_edits;

    /// Returns the comments after the renaming of what the cursor is at.
    fn renamed(code: &str, new: &str) -> String {
        let fixture = Fixture::new(code);
        let (file, offset) = fixture.cursor();
        let edit = fixture.analysis().rename(file, offset, new);
        let edit = edit.expect("it can be renamed");
        let mut comments = String::new();
        for (file, _, text) in fixture.files() {
            let edits = edit.edits.iter().filter(|it| it.0 == file).map(|it| &it.1);
            let text = apply_edits(text, edits).expect("edits do not overlap");
            let lines = text.lines().filter(|it| it.starts_with('#'));
            lines.for_each(|it| comments.push_str(&format!("{it}\n")));
        }
        comments
    }

    const EXAMPLES: &str = "\
# Uses web::site, which stays.
# @example web::site as well
#   web::site { 'web::sites':
#     port => 80,
#   }
#   Web::Site['a'] -> Class['web']
#   include web
#
#   class { 'web': port => 1 }
#   package { 'web': }
#   notice($web::port, $web::other::port)
# @example Data
#   web::port: 80
#   web::site::x: 1
# @param port web
";

    #[test]
    fn names_of_definitions() {
        let rest = "class web::b { }\n//- modules/web/manifests/init.pp\nclass we<^>b ($port = 1) { }\n\
                    //- modules/web/manifests/site.pp\ndefine web::site ($port) { }\n";
        let code = format!("//- modules/web/manifests/b.pp\n{EXAMPLES}{rest}");
        let found = renamed(
            &code
                .replace("define web::site", "define web::si<^>te")
                .replacen("we<^>b", "web", 1),
            "web::vhost",
        );
        let expected = EXAMPLES
            .replace("  web::site {", "  web::vhost {")
            .replace("Web::Site[", "Web::Vhost[");
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_parameters() {
        let rest = "class web::b { }\n//- modules/web/manifests/init.pp\nclass web ($po<^>rt = 1) { }\n\
                    //- modules/web/manifests/site.pp\ndefine web::site ($port) { }\n";
        let code = format!("//- modules/web/manifests/b.pp\n{EXAMPLES}{rest}");
        let expected = EXAMPLES
            .replace("'web': port", "'web': listen")
            .replace("$web::port", "$web::listen")
            .replace("  web::port:", "  web::listen:");
        assert_eq!(renamed(&code, "listen"), expected);
        let of_type = code
            .replacen("po<^>rt", "port", 1)
            .replace("site ($port", "site ($po<^>rt");
        let expected = EXAMPLES.replace("    port => 80", "    listen => 80");
        assert_eq!(renamed(&of_type, "listen"), expected);
    }

    #[test]
    fn names_of_main_classes() {
        let code = format!(
            "//- modules/a/manifests/init.pp\n{EXAMPLES}class a {{ }}\n\
             //- manifests/site.pp\nclass we<^>b ($port = 1) {{ }}\n"
        );
        let expected = EXAMPLES
            .replace("Class['web']", "Class['net']")
            .replace("include web\n", "include net\n")
            .replace("class { 'web'", "class { 'net'")
            .replace("$web::port", "$net::port")
            .replace("  web::port:", "  net::port:");
        assert_eq!(renamed(&code, "net"), expected);
    }
}
