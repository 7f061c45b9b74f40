import { sha256Base64 } from '../../../lib/crypto.ts'
import { markup, NO_HTML, SafeHtml } from '../../../lib/text/safe-html.ts'

/** The console's colours, from web/app/theme/tokens.css. The font is the reader's own, because nothing is loaded. */
const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fbfaf8, #141312); --surface: light-dark(#fff, #1b1917);
  --line: light-dark(#e9e5df, #2b2824); --edge: light-dark(#8f887c, #7d766b); --text: light-dark(#23201d, #ece9e4);
  --dim: light-dark(#635d55, #b0aaa1); --accent: light-dark(#1f5a3b, #92c2a6); --bad: light-dark(#96281d, #ee9b8f);
  --button: light-dark(#25221f, #efece7); --button-text: light-dark(#fff, #191715);
  --highlight: light-dark(#fdf1c7, #463a10); --plain: light-dark(#f0ede8, #2a2723) }
* { box-sizing: border-box }
body { margin: 0; padding: 1.25rem 1rem 3rem; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
header, main { max-width: 46rem; margin: 0 auto }
header { display: flex; align-items: center; gap: .5rem; padding: 0 .25rem 1rem; font-weight: 650 }
main { padding: 2rem 2.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--surface);
  box-shadow: 0 1px 2px rgb(45 35 20 / 5%) }
.notice header, .notice main { max-width: 27rem }
.notice { padding-top: 12vh }
h1 { font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .35rem }
h2 { font-size: 1.0625rem; font-weight: 650; margin: 2rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line) }
h3, h4, h5, h6 { font-size: 1rem; margin: 1.25rem 0 .25rem }
p { margin: .25rem 0 }
ul { margin: 0; padding-inline-start: 1.15rem }
li { margin: .5rem 0 }
li::marker { color: var(--dim) }
a { color: var(--accent) }
.dim, .time { color: var(--dim); font-size: .875rem }
.time { font-variant-numeric: tabular-nums; text-decoration: none }
.time:hover { color: var(--accent); text-decoration: underline }
.facts { display: block }
.facts > * + *::before { content: "·"; display: inline-block; margin: 0 .4em; color: var(--dim) }
.speaker { font-weight: 650; margin: 1.25rem 0 .15rem }
.said { display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); align-items: baseline; border-radius: 6px }
.gap { font-style: italic; color: var(--dim) }
.line { white-space: pre-wrap }
:target { background: var(--highlight); box-shadow: 0 0 0 4px var(--highlight) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
pre { white-space: pre-wrap; padding: .75rem; border-radius: 8px; background: var(--plain); font-size: .875rem }
label { display: block; font-weight: 600; font-size: .875rem }
form { margin-top: 1.25rem }
input { font: inherit; padding: .5rem .7rem; min-height: 44px; width: 100%; margin: .3rem 0 1rem; color: inherit;
  background: var(--page); border: 1px solid var(--edge); border-radius: 8px }
button { font: inherit; font-weight: 600; padding: .5rem 1.25rem; min-height: 44px; display: block; border: 0;
  border-radius: 8px; background: var(--button); color: var(--button-text); cursor: pointer }
.bad { color: var(--bad) }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line) }
.mark-tile { fill: light-dark(#1f5a3b, #2b6a48) }
.mark-bar { fill: #fff }
.mark-voice { fill: #9ddcb8 }
@media (max-width: 40em) { main { padding: 1.35rem 1.15rem } }
@media print { a { color: inherit } .no-print { display: none } body { background: none; padding: 0 }
  main { max-width: none; padding: 0; border: 0; box-shadow: none } }
`

/** The console's logo, as in web/app/layout/signed-out-layout.tsx. */
const BRAND = markup`<header><svg aria-hidden="true" width="24" height="24" viewBox="0 0 32 32">
<rect class="mark-tile" width="32" height="32" rx="9"/>
<rect class="mark-bar" x="8" y="7" width="4" height="18" rx="2"/>
<rect class="mark-bar" x="20" y="7" width="4" height="18" rx="2"/>
<rect class="mark-voice" x="14" y="13" width="4" height="6" rx="2"/>
</svg>Hansard</header>`

/** The page for every link that does not open, for any reason. */
export const NOT_FOUND_PAGE = [
  ...renderFrame(
    'Link not found',
    [
      markup`<h1>This link does not work</h1>
<p>It is wrong or incomplete, it has expired, or it was turned off.</p>
<p>Ask the person who sent it to you for a new one.</p>`,
    ],
    'notice',
  ),
].join('')

/** The page has no script and loads nothing. Its links send no referrer, which would contain the secret. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256Base64(STYLE)}'`,
  // An empty icon, so that browsers request no other.
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page under /s. Headers of all HTML pages are in pipeline/security-headers.ts. */
export const SHARED_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-robots-tag': 'noindex, nofollow, noarchive, nosnippet',
  'cache-control': 'no-store',
}

/** Yields the page in pieces, so that a long transcript can be streamed. */
export function* renderFrame(
  title: string,
  body: Iterable<SafeHtml>,
  kind: 'text' | 'notice' = 'text',
): Generator<string> {
  const style = new SafeHtml(STYLE)
  yield String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive, nosnippet">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title} · Hansard</title>
<style>${style}</style>
</head>
<body class="${kind}">
${BRAND}
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

/** Asks for the link's password. The form sends it to the same address. */
export function renderPasswordPage(problem: string | null): string {
  const alert = problem === null ? NO_HTML : markup`<p class="bad" role="alert">${problem}</p>`
  const body = markup`<h1>This link has a password</h1>
<p>Ask the person who sent you the link for it.</p>
${alert}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="off" autofocus>
<button type="submit">Open</button>
</form>`
  return [...renderFrame('Password needed', [body], 'notice')].join('')
}

export function renderBusyPage(waitSeconds: number): string {
  const body = markup`<h1>Too many requests</h1>
<p>This link was opened very often, or your network opened many links. Try again in ${formatWait(waitSeconds)}.</p>`
  return [...renderFrame('Too many requests', [body], 'notice')].join('')
}

export function formatWait(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
