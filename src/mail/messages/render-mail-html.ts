import { markup, NO_HTML, SafeHtml } from '../../lib/text/safe-html.ts'
import { toPlainLine } from '../../lib/text/plain-text.ts'
import type { MailBlock, MailContent, MailLink, MailListItem } from './mail-blocks.ts'

/**
 * It has the colours of the console. Every element has its light colours inline, because many mail programs drop
 * style sheets; programs that read them use the dark ones too.
 */
const DARK_STYLE = `:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #141312 !important }
  .card { background: #1b1917 !important; border-color: #2b2824 !important }
  .text { color: #ece9e4 !important }
  .dim { color: #b0aaa1 !important }
  .link { color: #92c2a6 !important }
  .line { border-color: #2b2824 !important }
  .button { background: #efece7 !important; color: #191715 !important }
}
@media (max-width: 480px) { .card { padding: 20px 18px !important } .page { padding: 12px 8px !important } }`

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const TEXT = `${FONT};font-size:16px;line-height:24px;color:#23201d`
const DIM = `${FONT};font-size:14px;line-height:21px;color:#635d55`
const LINK = `${FONT};color:#1f5a3b`

const STYLES = {
  page: new SafeHtml('background:#fbfaf8;padding:24px 12px'),
  card: new SafeHtml(
    'background:#ffffff;border:1px solid #e9e5df;border-radius:12px;padding:28px 32px;text-align:start',
  ),
  brand: new SafeHtml(`${FONT};font-size:14px;font-weight:600;color:#635d55;padding:0 4px 12px`),
  title: new SafeHtml(
    `${FONT};font-size:22px;line-height:28px;font-weight:600;color:#23201d;margin:0 0 8px;overflow-wrap:anywhere`,
  ),
  heading: new SafeHtml(
    `${FONT};font-size:16px;line-height:24px;font-weight:600;color:#23201d;margin:28px 0 4px;padding:20px 0 0;border-top:1px solid #e9e5df`,
  ),
  paragraph: new SafeHtml(`${TEXT};margin:8px 0;overflow-wrap:anywhere`),
  dim: new SafeHtml(`${DIM};margin:4px 0;overflow-wrap:anywhere`),
  note: new SafeHtml(DIM),
  // The same on both sides, for languages that are written from right to left.
  list: new SafeHtml('margin:0;padding:0 20px'),
  item: new SafeHtml(`${TEXT};margin:10px 0;overflow-wrap:anywhere`),
  link: new SafeHtml(LINK),
  button: new SafeHtml(
    `${FONT};display:inline-block;padding:11px 22px;font-size:16px;line-height:22px;font-weight:600;color:#ffffff;background:#25221f;border-radius:8px;text-decoration:none`,
  ),
  footer: new SafeHtml(`${DIM};padding:16px 4px 0;text-align:start;overflow-wrap:anywhere`),
} as const

const MAX_TITLE_CHARS = 200
const LANGUAGE_TAG = /^[a-zA-Z0-9-]{2,40}$/

/** The mail as HTML: one table, no image, no script, and nothing that a mail program has to load. */
export function renderMailHtml({ language = 'en', ...content }: MailContent): string {
  const { title, blocks, footer } = content
  const shownTitle = toPlainLine(title, MAX_TITLE_CHARS)
  const { page, card, brand } = STYLES
  const body = blocks.map(renderBlock)
  const links = footer.links.map((link) => markup`<br>${renderLink(link)}`)
  return String(markup`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${shownTitle}</title>
<style>${new SafeHtml(DARK_STYLE)}</style>
</head>
<body class="page" style="margin:0;${page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
<tr><td class="dim" style="${brand}">Hansard</td></tr>
<tr><td class="card" style="${card}">
<h1 class="text" dir="auto" style="${STYLES.title}">${shownTitle}</h1>
${body}
</td></tr>
<tr><td class="dim" style="${STYLES.footer}">${footer.text}${links}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`)
}

function renderBlock(block: MailBlock): SafeHtml {
  if (block.kind === 'heading')
    return markup`<h2 class="text line" style="${STYLES.heading}">${block.text}</h2>
`
  if (block.kind === 'paragraph') {
    return block.isDim
      ? markup`<p class="dim" dir="auto" style="${STYLES.dim}">${block.text}</p>
`
      : markup`<p class="text" dir="auto" style="${STYLES.paragraph}">${block.text}</p>
`
  }
  if (block.kind === 'button') {
    const { label, url } = block.link
    return markup`<p style="margin:24px 0 12px"><a class="button" href="${url}" style="${STYLES.button}">${label}</a></p>
`
  }
  const lang =
    block.language !== null && LANGUAGE_TAG.test(block.language)
      ? markup` lang="${block.language}"`
      : NO_HTML
  return markup`<ul${lang} dir="auto" style="${STYLES.list}">
${block.items.map(renderItem)}</ul>
`
}

function renderItem({ text, notes = [], links = [] }: MailListItem): SafeHtml {
  const parts = [
    ...notes.map((note) => markup`<bdi>${note}</bdi>`),
    ...links.map((link) => renderLink(link)),
  ]
  const joined = parts.flatMap((part, i) => (i === 0 ? [part] : [markup` · `, part]))
  const about =
    joined.length === 0
      ? NO_HTML
      : markup`<br><span class="dim" style="${STYLES.note}">${joined}</span>`
  return markup`<li class="text" dir="auto" style="${STYLES.item}">${text}${about}</li>
`
}

function renderLink({ label, url }: MailLink): SafeHtml {
  return markup`<a class="link" href="${url}" style="${STYLES.link}">${label}</a>`
}
