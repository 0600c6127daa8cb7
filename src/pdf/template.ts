/**
 * Functions and styles of all PDFs. The code generated before this template defines `doc-title`, `doc-subtitle`, `doc-date`,
 * `doc-language`, `doc-direction`, `doc-fonts`, `accent`, `logo`, `contents-title`, `broken-images`,
 * `code-background`, `code-color`, and `token-colors`.
 */
export const template = `
#let ink = rgb("#1c1f24")
#let muted = rgb("#5d6470")
#let faint = rgb("#d5d9df")
#let sunken = rgb("#f5f6f8")
#let mono = ("JetBrains Mono", "Fira Code", "Source Code Pro", "Noto Sans Mono", "DejaVu Sans Mono")

#set document(title: doc-title, date: none)
#set text(font: doc-fonts, size: 10pt, lang: doc-language, dir: doc-direction, fill: ink, hyphenate: false)
#set par(leading: 0.72em, spacing: 1.15em)
#set page(
  paper: "a4",
  margin: (top: 2.7cm, bottom: 2.4cm, x: 2.3cm),
  footer: context align(center, text(8pt, muted, counter(page).display())),
)
#set list(indent: 0.4em, body-indent: 0.7em, marker: (text(muted)[•], text(muted)[◦], text(muted)[–]))
#set enum(indent: 0.4em, body-indent: 0.7em)
#set table(stroke: 0.5pt + faint, inset: (x: 6pt, y: 5pt))
#set footnote.entry(separator: line(length: 25%, stroke: 0.5pt + faint))
#show footnote.entry: set text(8.5pt)
#show link: set text(fill: accent)
#show raw: set text(font: mono)
#show raw.where(block: true): set text(size: 8.3pt)
#show raw.where(block: false): set text(size: 1.1em)
#show heading: set block(above: 1.7em, below: 0.85em, sticky: true)
#show heading: set text(weight: "bold", fill: ink)
#show math.equation: set text(font: "New Computer Modern Math")
#show math.equation.where(block: true): set block(breakable: true)

#let seq(..parts) = parts.pos().filter(part => part != none).join()
#let lines(..parts) = parts.pos().map(part => [#part]).join(linebreak())
#let anchor(id) = [#metadata(none)#label(id)]
#let link-to(ids, body) = context {
  let id = ids.find(id => query(label(id)).len() > 0)
  if id == none { body } else { link(label(id), body) }
}
#let glyph(character) = symbol(character)
#let mtext(words) = [#words]
#let directed(direction, body) = { set text(dir: direction); body }

#let paragraph(alignment, body) = if alignment == start { par(body) } else { align(alignment, par(body)) }
#let section(level, size, body) = {
  show heading: set text(size: (16pt, 13pt, 11pt).at(size - 1))
  heading(level: level, outlined: false, bookmarked: true, body)
}
#let inline-code(words) = highlight(fill: sunken, radius: 2pt, extent: 1.5pt, top-edge: "ascender", bottom-edge: "descender", raw(words))
#let keyboard(body) = box(stroke: 0.5pt + faint, radius: 2pt, inset: (x: 3pt), outset: (y: 2pt), text(0.88em, body))
#let button(label) = box(stroke: 0.6pt + accent, radius: 3pt, inset: (x: 6pt), outset: (y: 3.5pt), text(weight: "medium", fill: accent, label))
#let tag(label, color) = box(fill: color.lighten(88%), radius: 6pt, inset: (x: 5pt), outset: (y: 2.5pt), text(0.85em, fill: color, label))
#let spaced(..items) = items.pos().filter(item => item != none).join([ ])
#let missing(words) = text(fill: muted, emph(words))

#let bullet-list(is-tight, ..items) = list(tight: is-tight, ..items)
#let ordered-list(first, is-tight, ..items) = enum(start: first, tight: is-tight, ..items)
#let checkbox(is-checked) = box(baseline: 12%, square(size: 0.8em, stroke: 0.6pt + muted, radius: 1.5pt, inset: 0pt,
  if is-checked { align(center + horizon, text(0.75em, weight: "bold", sym.checkmark.light)) }))
#let task-list(..items) = grid(
  columns: (auto, 1fr), column-gutter: 0.6em, row-gutter: 0.75em,
  ..items.pos().map(((is-checked, body)) => (checkbox(is-checked), [#body])).flatten(),
)
#let divider() = block(above: 1.4em, below: 1.4em, line(length: 100%, stroke: 0.6pt + faint))
#let at-start(value) = if doc-direction == rtl { (right: value) } else { (left: value) }
#let quotation(body) = block(width: 100%, inset: at-start(10pt) + (y: 2pt), stroke: at-start(2pt + faint), text(fill: muted, body))
#let hint(color, label, body) = block(
  width: 100%, inset: (x: 10pt, y: 9pt), radius: 3pt, fill: color.lighten(93%), stroke: at-start(2.5pt + color),
  { block(below: 0.65em, sticky: true, text(8.5pt, weight: "bold", fill: color, label)); body },
)
#let framed(title, body) = block(
  width: 100%, inset: (x: 10pt, y: 9pt), radius: 3pt, stroke: 0.6pt + faint,
  { if title != none and title != "" { block(below: 0.8em, sticky: true, strong(title)) }; body },
)
#let colors-by-token = token-colors.fold((:), (colors, (name, color)) => { colors.insert(name, color); colors })
#let token(name, words) = {
  let color = colors-by-token.at(name, default: none)
  if color == none { words } else { text(fill: color, words) }
}
#let code-block(words, highlighted, title, has-numbers, marked) = block(
  width: 100%, inset: (x: 9pt, y: 8pt), radius: 3pt, stroke: 0.5pt + faint,
  fill: if code-background == none { sunken } else { code-background },
  {
    set par(leading: 0.6em)
    set text(fill: code-color) if code-color != none
    if title != none { block(below: 0.9em, sticky: true, text(8pt, font: mono, fill: muted, title)) }
    show raw.line: it => {
      if has-numbers { box(width: 2.2em, align(right, text(fill: muted, str(it.number)))); h(1em) }
      let body = if highlighted == none { it.body } else { highlighted.at(it.number - 1, default: it.body) }
      if it.number in marked { highlight(fill: accent.lighten(82%), body) } else { body }
    }
    set text(dir: ltr)
    raw(words, block: true)
  },
)

#let image-or-text(name, alt, ..sizes) = if name in broken-images { missing(alt) } else { image("/" + name, alt: alt, ..sizes) }
#let picture(name, alt, width) = layout(size => {
  let wanted = if width == none { size.width } else if type(width) == ratio { width * size.width } else { width }
  image-or-text(name, alt, width: calc.min(wanted, size.width))
})
#let inline-image(name, alt, width) = if width == none { box(baseline: 15%, image-or-text(name, alt, height: 1.1em)) } else {
  box(image-or-text(name, alt, width: calc.min(width, 440) * 1pt))
}
#let cell-image(name, alt) = image-or-text(name, alt, width: 100%, height: 60pt, fit: "contain")
#let figure-with(body, caption, position) = block(width: 100%, breakable: false, align(position, {
  body
  if caption != none { block(above: 0.7em, text(8.5pt, fill: muted, caption)) }
}))
#let side-by-side(..images) = grid(columns: (1fr,) * calc.min(images.pos().len(), 4), gutter: 10pt, ..images)
#let reference(title, details) = block(width: 100%, inset: 9pt, radius: 3pt, stroke: 0.6pt + faint, {
  text(weight: "medium", title)
  if details != "" { h(1fr); text(8.5pt, fill: muted, details) }
})
#let steps(..items) = grid(
  columns: (1.9em, 1fr), column-gutter: 0.7em, row-gutter: 1.4em,
  ..items.pos().enumerate().map(((index, body)) => (
    circle(radius: 0.8em, fill: accent.lighten(88%), align(center + horizon, text(0.85em, weight: "bold", fill: accent, str(index + 1)))),
    pad(top: 0.3em, [#body]),
  )).flatten(),
)
#let columns-of(widths, ..items) = grid(columns: widths, column-gutter: 16pt, ..items.pos().map(item => [#item]))
#let update(date, tags, body) = block(width: 100%, {
  block(above: 1.6em, below: 0.9em, sticky: true, { text(weight: "bold", fill: accent, date); h(0.8em); spaced(..tags.map(label => tag(label, muted))) })
  body
})
#let grid-table(widths, is-small, has-header, ..cells) = {
  set text(size: if is-small { 7.5pt } else { 9pt })
  set par(leading: 0.6em, spacing: 0.8em)
  block(width: 100%, table(columns: widths, fill: (_, y) => if has-header and y == 0 { sunken }, ..cells))
}
#let field(label, body) = block({ text(8pt, fill: muted, label); linebreak(); body })
#let card(..fields) = block(width: 100%, breakable: false, inset: 9pt, radius: 4pt, stroke: 0.6pt + faint, {
  set par(leading: 0.6em)
  set block(spacing: 0.7em)
  text(9pt, fill: ink, seq(..fields))
})
#let card-grid(count, ..cards) = grid(columns: (1fr,) * count, gutter: 9pt, ..cards)

#let running-head(title) = {
  set text(8pt, muted)
  grid(columns: (auto, 1fr), column-gutter: 1em, doc-title, align(end, if title == doc-title { none } else { title }))
  v(-0.5em)
  line(length: 100%, stroke: 0.5pt + faint)
}
#let page-title(id, level, title, description) = {
  show heading: set text(size: 21pt)
  show heading: set block(above: 0pt, below: 0.8em)
  [#heading(level: level, outlined: true, bookmarked: true, title)#label(id)]
  if description != none { block(below: 1.6em, text(11.5pt, fill: muted, description)) }
}
#let title-page() = page(margin: (top: 7cm, bottom: 3cm, x: 3cm), footer: none, {
  if logo != none and logo not in broken-images { block(below: 2.2cm, image("/" + logo, height: 1.6cm)) }
  block(width: 3cm, height: 3pt, fill: accent, below: 1.1cm)
  block(below: 0.9em, text(30pt, weight: "bold", doc-title))
  if doc-subtitle != none { block(below: 0.9em, text(14pt, fill: muted, doc-subtitle)) }
  v(1fr)
  if doc-date != none { text(10pt, fill: muted, doc-date) }
})
#let contents() = {
  show outline.entry.where(level: 1): set block(above: 1.1em)
  show outline.entry.where(level: 1): set text(weight: "bold")
  show link: set text(fill: ink)
  show heading: set text(size: 16pt)
  outline(title: contents-title, depth: 4, indent: 1.2em)
}
`
