import { z } from 'zod'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import { askServer } from '../sound-call/ask-server.ts'
import { isListedServer, type ListedHosts } from '../sound-call/listed-hosts.ts'

const STATUS_SCHEMA = z.object({ endpoint: z.string().max(2_000) })

type GroupStatus = { kind: 'found'; endpoint: URL } | Exclude<SessionEnd, { kind: 'left' }>

type Options = { hosts: ListedHosts; timeoutMs: number; signal: AbortSignal }

/** Asks a group's server for the address of its WebSocket. */
export async function readGroupStatus(groupUrl: string, options: Options): Promise<GroupStatus> {
  const { hosts, timeoutMs, signal } = options
  const url = new URL('.status', groupUrl)
  const answer = await askServer(url, { timeoutMs, signal })
  if (typeof answer === 'string') return again(answer)
  const { statusCode, headers, text } = answer
  if (statusCode >= 300 && statusCode < 400) return describeRedirect(url, headers['location'])
  if (statusCode === 404)
    return over('meeting_not_found', `${url.host} has no group with this name. Check the link`)
  if (statusCode !== 200) return again(`${url.host} answered ${statusCode}`)
  return checkEndpoint(url, STATUS_SCHEMA.safeParse(tryParseJson(text)).data?.endpoint, hosts)
}

function checkEndpoint(status: URL, given: string | undefined, hosts: ListedHosts): GroupStatus {
  const endpoint = given === undefined ? null : URL.parse(given)
  if (endpoint === null)
    return over(
      'page_not_loaded',
      `${status.host} does not answer like a Galène server. Check the link`,
    )
  const expected = status.protocol === 'https:' ? 'wss:' : 'ws:'
  if (endpoint.protocol !== expected)
    return over(
      'page_not_loaded',
      `${status.host} names a connection that starts with ${endpoint.protocol} instead of ${expected}. If a proxy is in front of Galène, set proxyURL in its config.json`,
    )
  if (!isListedServer(endpoint, hosts))
    return over(
      'page_not_loaded',
      `${status.host} sends participants to ${endpoint.host}. Add it to HANSARD_GALENE_HOSTS if bots may connect to it`,
    )
  return { kind: 'found', endpoint }
}

function describeRedirect(url: URL, location: string | string[] | undefined): GroupStatus {
  const target = URL.parse([location].flat()[0] ?? '', url.href)
  const place =
    target === null
      ? 'another address'
      : `${target.origin}${target.pathname.replace(/\.status$/, '')}`
  return over(
    'meeting_not_found',
    `The group has moved to ${place.slice(0, 300)}. Start again with that link`,
  )
}

function over(because: (SessionEnd & { kind: 'over' })['because'], detail: string): GroupStatus {
  return { kind: 'over', because, detail }
}

function again(why: string): GroupStatus {
  return { kind: 'again', why }
}
