import { sha256Base64 } from '../../../../lib/crypto/digest.ts'
import { markup, SafeHtml } from './safe-html.ts'

const STYLE = `
:root { color-scheme: light dark; --dim: #595959; --line: #d5d5d5; --link: #0b57a4; --bad: #a3201b; --button: #1b6650 }
@media (prefers-color-scheme: dark) {
  :root { --dim: #ababab; --line: #454545; --link: #8ab8f0; --bad: #ff9d94 }
  body { background: #1b1b1b; color: #ececec }
}
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line) }
h3, h4, h5, h6 { font-size: 1rem; margin: 1.25rem 0 .25rem }
p, li { margin: .25rem 0 }
a { color: var(--link) }
.dim, .time { color: var(--dim); font-size: .875rem }
.time { font-variant-numeric: tabular-nums; text-decoration: none }
.speaker { font-weight: 600; margin-top: 1rem }
.gap { font-style: italic; color: var(--dim) }
.line { white-space: pre-wrap }
:target { outline: 2px solid var(--link); outline-offset: 4px }
pre { white-space: pre-wrap; padding: .75rem; border: 1px solid var(--line); font-size: .875rem }
label { display: block; font-weight: 600 }
form { margin-top: 1rem }
input { font: inherit; padding: .5rem; width: 100%; max-width: 22rem; margin: .25rem 0 1rem; border: 1px solid var(--dim);
  border-radius: 6px }
button { font: inherit; font-weight: 600; padding: .5rem 1.25rem; min-height: 44px; display: block; border: 0;
  border-radius: 6px; background: var(--button); color: #fff; cursor: pointer }
.bad { color: var(--bad) }
footer { margin-top: 3rem; border-top: 1px solid var(--line) }
@media print { a { color: inherit } .no-print { display: none } main { max-width: none; padding: 0 } }
`

/** The page has no script and loads nothing. A link in it sends no referrer, which would contain the secret. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256Base64(STYLE)}'`,
  // The empty icon, so that browsers ask for no other.
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page under /s. Those of all HTML pages are in pipeline/security-headers.ts. */
export const SHARED_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-robots-tag': 'noindex, nofollow, noarchive, nosnippet',
  'cache-control': 'no-store',
}

/** Yields the page in pieces, so that a long transcript can be streamed. */
export function* renderFrame(title: string, body: Iterable<SafeHtml>): Generator<string> {
  const style = new SafeHtml(STYLE)
  yield String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive, nosnippet">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
`)
  for (const piece of body) yield `${String(piece)}\n`
  yield '</main>\n</body>\n</html>\n'
}

/** The last lines of a shared page. */
export function renderFooter(expiresAt: Date, timeZone: string): SafeHtml {
  return markup`<footer class="dim"><p>Shared with you by a read-only link, which works until
${formatTime(expiresAt, timeZone)} at the latest. Do not pass it on without permission.</p></footer>`
}

export function formatTime(time: Date, timeZone: string): string {
  const text = time.toLocaleString('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${text} (${timeZone})`
}
