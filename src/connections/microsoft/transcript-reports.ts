import {
  GraphSubscription,
  readExpiry,
  toGraphSubscription,
} from '../../network/graph-subscriptions.ts'
import { ReadProblem } from '../problems.ts'
import type { TranscriptReports } from '../provider.ts'
import { parseJson } from './access-token.ts'
import type { GraphSession } from './graph-session.ts'

/**
 * Change notifications of Microsoft Graph for the transcripts of one organizer. For the whole tenant, they would also say when
 * people have meetings whose transcripts the connection does not read.
 */
export function createTranscriptReports(graph: GraphSession): TranscriptReports {
  return {
    async start(userId, { url, token, expiresAt }) {
      const body = toGraphSubscription({
        changeType: 'created',
        resource: `users/${userId}/onlineMeetings/getAllTranscripts`,
        url,
        token,
        expiresAt,
      })
      // Required for more than an hour.
      const request = { ...body, lifecycleNotificationUrl: url }
      const sent = await graph.write({ method: 'POST', at: 'subscriptions', body: request })
      if (sent === null) throw new ReadProblem('bad_answer', 'status 404')
      const started = parseSubscription(sent)
      return { providerId: started.id, expiresAt: readExpiry(started, expiresAt) }
    },
    async renew(providerId, expiresAt) {
      const body = { expirationDateTime: expiresAt.toISOString() }
      const sent = await graph.write({ method: 'PATCH', at: pathOf(providerId), body })
      return sent === null ? null : readExpiry(parseSubscription(sent), expiresAt)
    },
    async stop(providerId) {
      await graph.write({ method: 'DELETE', at: pathOf(providerId) })
    },
  }
}

const pathOf = (providerId: string) => `subscriptions/${encodeURIComponent(providerId)}`

function parseSubscription(text: string) {
  const parsed = GraphSubscription.safeParse(parseJson(text))
  if (!parsed.success) throw new ReadProblem('bad_answer', 'a subscription')
  return parsed.data
}
