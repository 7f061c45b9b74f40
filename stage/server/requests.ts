import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Show } from '../show/show.ts'
import { redirect, sendFile, sendText } from './answers.ts'
import { partOf, type HostPart } from './hosts.ts'
import { bodyOf, type Hall } from './hall-contract.ts'
import { answerCall } from './meet-calls.ts'

type Handler = (url: URL, request: IncomingMessage, response: ServerResponse, hall: Hall) => unknown

const page =
  (path: string): Handler =>
  (_url, _request, response) =>
    sendFile(response, path)

/** What each host answers; the first matching row counts. Every host also has `/stage/…`. */
const ROUTES: Record<HostPart, ReadonlyArray<[path: RegExp, handler: Handler]>> = {
  'google-meet': [
    [
      /^\/(?:\$rpc|hangouts\/v1_meetings)\//,
      (url, request, response, hall) => answerCall(url, request, response, hall),
    ],
    [/^\/(?:landing|new)?$/, page('elsewhere/meet-home.html')],
    [/^\/[^/]+$/, page('google-meet/index.html')],
  ],
  'microsoft-teams': [
    [/^\/(?:meet|l\/meetup-join)\//, toLauncher],
    [/^\/dl\/launcher\/launcher\.html$/, page('microsoft-teams/launcher.html')],
    [/^\/(?:v2|_)\/?$/, page('microsoft-teams/index.html')],
    [/^\/light-meetings\/launch$/, page('microsoft-teams/index.html')],
    [/^\/$/, page('elsewhere/teams-home.html')],
  ],
  'google-sign-in': [[/^/, page('elsewhere/google-sign-in.html')]],
  'google-away': [[/^/, page('elsewhere/workspace.html')]],
  'google-captcha': [[/^/, page('elsewhere/captcha.html')]],
  'google-pictures': [[/^/, page('elsewhere/avatar.svg')]],
  'microsoft-sign-in': [[/^/, page('elsewhere/microsoft-sign-in.html')]],
  'microsoft-socket': [],
}

export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  hall: Hall,
): Promise<void> {
  const part = partOf(request.headers.host ?? '')
  const url = new URL(request.url ?? '/', `https://${request.headers.host}`)
  if (part === undefined) return sendText(response, 421, 'this host is not on the stage')
  if (url.pathname.startsWith('/stage/')) return answerStage(url, request, response, hall)
  const row = ROUTES[part].find(([path]) => path.test(url.pathname))
  if (row === undefined) return sendText(response, 404, 'no such page on the stage')
  await row[1](url, request, response, hall)
}

async function answerStage(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: Hall,
): Promise<void> {
  if (url.pathname === '/stage/feed')
    return hall.welcome(url.searchParams.get('address') ?? '', response)
  if (url.pathname === '/stage/way')
    return sendWay(response, hall.showAt(url.searchParams.get('address') ?? ''))
  if (url.pathname.startsWith('/stage/cameras'))
    return hall.cameras.answer(url.pathname, request, response)
  if (url.pathname === '/stage/tell') return hall.hear(String(await bodyOf(request)), response)
  await sendFile(response, url.pathname.slice('/stage/pages'.length))
}

/** What the launcher must know of a show to lead on to the right client. */
function sendWay(response: ServerResponse, show: Show | undefined): void {
  const { client = 'full', locale = 'en' } = show?.knobs ?? {}
  sendText(response, 200, JSON.stringify({ client, locale }))
}

/** Both link shapes lead to the launcher, which asks how to go on. */
function toLauncher(url: URL, _request: IncomingMessage, response: ServerResponse): void {
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
