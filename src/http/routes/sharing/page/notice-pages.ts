import { markup, NO_HTML } from './safe-html.ts'
import { renderFrame } from './page-frame.ts'

/** The page for every link that does not open, whatever the reason. */
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

/** Asks for the password of a link. The form sends it to the same address. */
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
