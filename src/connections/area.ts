import type { AreaContext } from '../db/context.ts'
import type { SecureContext } from 'node:tls'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { Tracer } from '../lib/tracer.ts'
import { createGuardedFetch } from '../network/guarded-fetch.ts'
import { REQUEST_TIMEOUT_MS } from '../network/api-requests.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import type { TranscriptTargets } from './import-transcript.ts'
import { createConnections, type Connections } from './connections.ts'
import { MICROSOFT_HOSTS, type MicrosoftHostsByCloud } from '../network/microsoft-hosts.ts'
import { createGoogleProvider } from './google/google-provider.ts'
import { GOOGLE_HOSTS, type GoogleHosts } from '../network/google-hosts.ts'
import { createMicrosoftProvider } from './microsoft/microsoft-provider.ts'
import { startPollRunner } from './poll-runner.ts'
import { receiveReports, type TranscriptReport } from './receive-reports.ts'
import { createTranscriptPoll } from './transcript-poll.ts'

export type ConnectionsArea = AsyncDisposable & {
  connections: Connections
  /** Makes connections due whose provider reported transcripts. Returns how many of the tokens were right. */
  receiveReports(reports: readonly TranscriptReport[]): Promise<number>
}

type Parts = AreaContext &
  TranscriptTargets & {
    tracer: Tracer
    secretBox: SecretBox
    membership: NodeMembership
    policy: NetworkPolicy
    secureContext: SecureContext | null
    /** Replaces Microsoft's hosts in tests. */
    microsoftHosts: MicrosoftHostsByCloud | undefined
    /** Replaces Google's hosts in tests. */
    googleHosts: GoogleHosts | undefined
    timeZone: string
    /** The public address of this service with https; null if there is none. */
    publicUrl: string | null
  }

/** Opens the connections area. A node with the role `tasks` starts to read connections. */
export function openConnectionsArea(parts: Parts): ConnectionsArea {
  const { db, clock, log, membership, policy } = parts
  const stack = new AsyncDisposableStack()
  const guarded = stack.use(createGuardedFetch(parts))
  const http = { guarded, policy, clock, timeoutMs: REQUEST_TIMEOUT_MS }
  const { microsoftHosts = MICROSOFT_HOSTS, googleHosts = GOOGLE_HOSTS, timeZone } = parts
  const providers = {
    microsoft: createMicrosoftProvider({ http, hosts: microsoftHosts }),
    google: createGoogleProvider({ http, hosts: googleHosts, timeZone }),
  }
  const poll = createTranscriptPoll({ ...parts, providers })
  const tracedPoll: typeof poll = (claimed, signal) => {
    const attributes = { 'hansard.connection.id': claimed.connectionId }
    return parts.tracer.run('poll connection', { parent: null, attributes }, () =>
      poll(claimed, signal),
    )
  }
  const runner = membership.hasRole('tasks')
    ? stack.use(startPollRunner({ db, clock, log, membership, poll: tracedPoll }))
    : null
  const wake = () => runner?.wake()
  membership.onMessage('connections_changed', wake)
  const onChanged = () => {
    wake()
    membership.broadcast('connections_changed', {})
  }
  return {
    connections: createConnections({ ...parts, providers, onChanged }),
    async receiveReports(reports) {
      const count = await receiveReports(parts, reports)
      if (count > 0) onChanged()
      return count
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
