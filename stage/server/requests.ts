import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'
import { redirect, sendFile, sendText } from './responses.ts'
import { hostRoleOf, type HostRole } from './hosts.ts'
import { readRequestBody, type StageBackend } from './backend.ts'
import { answerRpc } from './google-meet-rpc.ts'

type Handler = (
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: StageBackend,
) => unknown

const servePage =
  (path: string): Handler =>
  (_url, _request, response) =>
    sendFile(response, path)

/** What each host answers; the first matching row counts. Every host also has `/stage/…`. */
const ROUTES: Record<HostRole, ReadonlyArray<[path: RegExp, handler: Handler]>> = {
  'google-meet': [
    [
      /^\/(?:\$rpc|hangouts\/v1_meetings)\//,
      (url, request, response, hall) => answerRpc(url, request, response, hall),
    ],
    [/^\/(?:landing|new)?$/, servePage('other-hosts/meet-home.html')],
    [/^\/[^/]+$/, servePage('google-meet/index.html')],
  ],
  'microsoft-teams': [
    [/^\/(?:meet|l\/meetup-join)\//, redirectToLauncher],
    [/^\/dl\/launcher\/launcher\.html$/, servePage('microsoft-teams/launcher/launcher.html')],
    [/^\/(?:v2|_)\/?$/, servePage('microsoft-teams/index.html')],
    [/^\/light-meetings\/launch$/, servePage('microsoft-teams/index.html')],
    [/^\/$/, servePage('other-hosts/teams-home.html')],
  ],
  'google-sign-in': [[/^/, servePage('other-hosts/google-sign-in.html')]],
  'google-away': [[/^/, servePage('other-hosts/workspace.html')]],
  'google-captcha': [[/^/, servePage('other-hosts/captcha.html')]],
  'google-pictures': [[/^/, servePage('other-hosts/avatar.svg')]],
  'microsoft-sign-in': [[/^/, servePage('other-hosts/microsoft-sign-in.html')]],
  'microsoft-socket': [],
}

export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  hall: StageBackend,
): Promise<void> {
  const part = hostRoleOf(request.headers.host ?? '')
  const url = new URL(request.url ?? '/', `https://${request.headers.host}`)
  if (part === undefined) return sendText(response, 421, 'this host is not on the stage')
  if (url.pathname.startsWith('/stage/')) return handleStageRequest(url, request, response, hall)
  const row = ROUTES[part].find(([path]) => path.test(url.pathname))
  if (row === undefined) return sendText(response, 404, 'no such page on the stage')
  await row[1](url, request, response, hall)
}

async function handleStageRequest(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: StageBackend,
): Promise<void> {
  if (url.pathname === '/stage/feed')
    return hall.connectPage(url.searchParams.get('address') ?? '', response)
  if (url.pathname === '/stage/way')
    return sendLauncherSettings(response, hall.findMeeting(url.searchParams.get('address') ?? ''))
  if (url.pathname.startsWith('/stage/cameras'))
    return hall.cameras.answer(url.pathname, request, response)
  if (url.pathname === '/stage/tell')
    return hall.receiveReport(String(await readRequestBody(request)), response)
  await sendFile(response, url.pathname.slice('/stage/pages'.length))
}

/** What the launcher must know of a show to lead on to the right client. */
function sendLauncherSettings(response: ServerResponse, show: StagedMeeting | undefined): void {
  const { client = 'full', locale = 'en' } = show?.knobs ?? {}
  sendText(response, 200, JSON.stringify({ client, locale }))
}

/** Both link shapes lead to the launcher, which asks how to go on. */
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
