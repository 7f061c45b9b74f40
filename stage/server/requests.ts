import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'
import { redirect, sendFile, sendText } from './responses.ts'
import { hostRoleOf, type HostRole } from './hosts.ts'
import type { StageBackend } from './backend.ts'
import { readRequestBody } from './read-body.ts'
import { answerRpc } from './google-meet-rpc.ts'

type Handler = (
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  backend: StageBackend,
) => unknown

const servePage =
  (path: string): Handler =>
  (_url, _request, response) =>
    sendFile(response, path)

/** The routes of each host. The first match handles the request. Every host also serves `/stage/…`. */
const ROUTES: Record<HostRole, ReadonlyArray<[path: RegExp, handler: Handler]>> = {
  'google-meet': [
    [
      /^\/(?:\$rpc|hangouts\/v1_meetings)\//,
      (url, request, response, backend) => answerRpc(url, request, response, backend),
    ],
    [/^\/(?:landing|new)?$/, servePage('other-hosts/meet-home.html')],
    [/^\/[^/]+$/, serveMeetPage],
  ],
  'microsoft-teams': [
    [/^\/(?:meet|l\/meetup-join)\//, redirectToLauncher],
    [/^\/dl\/launcher\/launcher\.html$/, servePage('microsoft-teams/launcher/launcher.html')],
    [/^\/(?:v2|_)\/?$/, servePage('microsoft-teams/index.html')],
    [/^\/frame\/?$/, servePage('microsoft-teams/frame.html')],
    [/^\/light-meetings\/launch$/, servePage('microsoft-teams/index.html')],
    [/^\/$/, servePage('other-hosts/teams-home.html')],
  ],
  'google-sign-in': [[/^/, servePage('other-hosts/google-sign-in.html')]],
  'google-workspace': [[/^/, servePage('other-hosts/workspace.html')]],
  'google-cookies': [
    [/^\/save$/, saveCookieChoice],
    [/^/, servePage('other-hosts/google-cookies.html')],
  ],
  'google-captcha': [[/^/, servePage('other-hosts/captcha.html')]],
  'google-pictures': [[/^/, servePage('other-hosts/avatar.svg')]],
  'microsoft-sign-in': [[/^/, servePage('other-hosts/microsoft-sign-in.html')]],
  'microsoft-socket': [],
}

export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  backend: StageBackend,
): Promise<void> {
  const role = hostRoleOf(request.headers.host ?? '')
  const url = new URL(request.url ?? '/', `https://${request.headers.host}`)
  if (role === undefined) return sendText(response, 421, 'the stage does not serve this host')
  if (url.pathname.startsWith('/stage/')) return handleStageRequest(url, request, response, backend)
  const route = ROUTES[role].find(([path]) => path.test(url.pathname))
  if (route === undefined) return sendText(response, 404, 'no such page on the stage')
  await route[1](url, request, response, backend)
}

async function handleStageRequest(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  backend: StageBackend,
): Promise<void> {
  if (url.pathname === '/stage/feed')
    return backend.connectPage(url.searchParams.get('address') ?? '', response)
  if (url.pathname === '/stage/launcher-settings')
    return sendLauncherSettings(
      response,
      backend.findMeeting(url.searchParams.get('address') ?? ''),
    )
  if (url.pathname.startsWith('/stage/cameras'))
    return backend.cameras.answer(url.pathname, request, response)
  if (url.pathname === '/stage/report')
    return backend.receiveReport(String(await readRequestBody(request)), response)
  await sendFile(response, url.pathname.slice('/stage/pages'.length))
}

/** Sends what the launcher needs to open a meeting's right client. */
function sendLauncherSettings(response: ServerResponse, meeting: StagedMeeting | undefined): void {
  const {
    client = 'full',
    locale = 'en',
    frame = 'none',
    asksAboutCookies = false,
  } = meeting?.knobs ?? {}
  sendText(response, 200, JSON.stringify({ client, locale, frame, asksAboutCookies }))
}

/** Both link forms lead to the launcher, which offers the app or the browser. */
function redirectToLauncher(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  const query = new URLSearchParams({
    url: `/_#${url.pathname}${url.search}${url.search === '' ? '?' : '&'}anon=true`,
    type: url.pathname.startsWith('/meet/') ? 'meet' : 'meetup-join',
    directDl: 'true',
    msLaunch: 'true',
    enableMobilePage: 'true',
    suppressPrompt: 'true',
  })
  redirect(response, `/dl/launcher/launcher.html?${query.toString()}`)
}

/** If a meeting asks about cookies, redirects a browser without an answer to Google's page about them. */
function serveMeetPage(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  backend: StageBackend,
): unknown {
  const { asksAboutCookies = false } = backend.findMeeting(url.href)?.knobs ?? {}
  const hasChosen = /\bSOCS=/.test(request.headers.cookie ?? '')
  if (!asksAboutCookies || hasChosen) return sendFile(response, 'google-meet/index.html')
  redirect(response, `https://consent.google.com/ml?continue=${encodeURIComponent(url.href)}`)
}

function saveCookieChoice(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('set-cookie', 'SOCS=declined; Domain=google.com; Path=/; Secure')
  redirect(response, url.searchParams.get('continue') ?? 'https://meet.google.com/')
}
