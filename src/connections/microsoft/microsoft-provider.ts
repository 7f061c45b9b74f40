import { sha256 } from '../../lib/crypto.ts'
import type { ApiHttp } from '../../network/api-requests.ts'
import { describeProblem } from '../problems.ts'
import {
  describeClockDifference,
  type CheckLine,
  type ConnectionAccess,
  type ProviderSession,
  type TranscriptProvider,
} from '../provider.ts'
import { MicrosoftCredential, readMicrosoftCredential } from './credential.ts'
import {
  findUserId,
  firstTranscriptsLink,
  readMeeting,
  readTranscriptContent,
  readTranscriptPage,
} from './graph-requests.ts'
import { openGraphSession, PERMISSIONS, type Permission } from './graph-session.ts'
import { createTranscriptReports } from './transcript-reports.ts'
import type { MicrosoftHostsByCloud } from '../../network/microsoft-hosts.ts'
import { normalizeTeamsVtt } from './teams-vtt.ts'

type Parts = { http: ApiHttp; hosts: MicrosoftHostsByCloud }

/** Transcripts of Teams meetings, through Microsoft Graph. */
export function createMicrosoftProvider(parts: Parts): TranscriptProvider {
  return {
    readCredential: readMicrosoftCredential,
    open: (access, signal) => openSession(parts, access, signal),
  }
}

function openSession(
  { http, hosts }: Parts,
  { tenant, clientId, cloud, readsFrom, credential }: ConnectionAccess,
  signal: AbortSignal,
): ProviderSession {
  const parsed = MicrosoftCredential.parse(credential)
  if (cloud === null || tenant === null) throw new Error('a Microsoft connection has no tenant')
  const app = { tenant, clientId, credential: parsed, hosts: hosts[cloud] }
  const graph = openGraphSession(http, app, signal)
  return {
    async checkAccess(attempt) {
      const text = 'Microsoft accepts the application'
      const signIn = await attempt('Sign in', text, () => graph.token())
      if (!signIn.ok) return { lines: [signIn], isBlocked: true }
      const { permissions, serverTime } = await graph.token()
      const clock = checkClock(serverTime, http.clock.now())
      const granted = checkPermissions(permissions)
      return {
        lines: [signIn, ...clock, ...granted],
        isBlocked: granted.some(({ ok }) => !ok),
      }
    },
    reports: createTranscriptReports(graph),
    findPersonId: (address) => findUserId(graph, address),
    checkPerson: (userId) => readTranscriptPage(graph, firstTranscriptsLink(userId, readsFrom)),
    listTranscripts: (userId, cursor) =>
      readTranscriptPage(graph, cursor ?? firstTranscriptsLink(userId, readsFrom)),
    readMeeting: (key) => readMeeting(graph, key),
    async readContent(key) {
      const sent = await readTranscriptContent(graph, key)
      const { content, beforeStartMs } = await normalizeTeamsVtt(sent)
      return {
        content,
        format: 'teams-vtt',
        startedAt: new Date(key.beganAt.getTime() - beforeStartMs),
        sha256: sha256(sent),
        source: 'Microsoft Teams',
        fallbackTitle: null,
      }
    },
  }
}

function checkClock(serverTime: Date | null, now: Date): CheckLine[] {
  const difference = describeClockDifference(serverTime, now)
  if (difference === null) return []
  const { text } = describeProblem('clock_wrong', difference, 'microsoft')
  return [{ name: 'Clock', ok: false, text }]
}

/** Without a list in the token, the requests for the organizers show what is missing. */
function checkPermissions(granted: readonly string[] | null): CheckLine[] {
  if (granted === null) return []
  const all = Object.entries(PERMISSIONS) as Array<[Permission, string]>
  return all.map(([permission, use]) => ({
    name: `Permission ${permission}`,
    ok: granted.includes(permission),
    text: granted.includes(permission)
      ? `Granted, for ${use}`
      : describeProblem('permission_missing', permission, 'microsoft').text,
  }))
}
