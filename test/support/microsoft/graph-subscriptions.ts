import { randomUUID } from 'node:crypto'
import type { ProviderAnswer, ProviderServer } from '../http/provider-server.ts'

/*
 * Subscriptions of Microsoft Graph v1.0, written from microsoft-graph-docs-contrib (api-reference/v1.0/api: subscription-post,
 * subscription-update, subscription-delete; concepts: change-notifications-delivery-webhooks, change-notifications-lifecycle-events,
 * teams-changenotifications-callrecording-and-calltranscript).
 */

export type SentSubscription = {
  id: string
  resource: string
  notificationUrl: string
  lifecycleNotificationUrl?: string
  clientState: string
  expirationDateTime: string
}

export type GraphSubscriptions = {
  subscriptions: SentSubscription[]
  /** Where the public address of the service leads. */
  serviceOrigin: string
  answerSubscription(method: string, path: string, body: string): Promise<ProviderAnswer>
  /** Sends a notification of each subscription, with other fields if given. Returns the statuses of the answers. */
  notify(to: string, fields?: object): Promise<number[]>
}

const MAX_MINUTES = { transcripts: 4_320, events: 10_080 }

/** Adds subscriptions to a server that answers as Graph. */
export function addGraphSubscriptions(
  server: ProviderServer,
  now: () => Date,
): ProviderServer & GraphSubscriptions {
  const added: GraphSubscriptions = {
    subscriptions: [],
    serviceOrigin: '',
    async answerSubscription(method, path, body) {
      if (method === 'POST') return start(JSON.parse(body) as Omit<SentSubscription, 'id'>)
      const at = opened.subscriptions.findIndex(({ id }) => path === `subscriptions/${id}`)
      const found = opened.subscriptions[at]
      if (found === undefined) return refuse(404, 'ResourceNotFound')
      if (method === 'DELETE') {
        opened.subscriptions.splice(at, 1)
        return { status: 204, body: '' }
      }
      const { expirationDateTime } = JSON.parse(body) as SentSubscription
      if (isTooLong({ ...found, expirationDateTime })) return refuse(400, 'ExtensionError')
      found.expirationDateTime = expirationDateTime
      return { status: 200, body: found }
    },
    async notify(to, fields = { changeType: 'updated' }) {
      const statuses: number[] = []
      for (const { id, clientState, notificationUrl, resource } of opened.subscriptions) {
        const value = [{ subscriptionId: id, clientState, resource, ...fields }]
        const response = await fetch(`${to}${new URL(notificationUrl).pathname}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ value }),
        })
        statuses.push(response.status)
      }
      return statuses
    },
  }

  const opened = Object.assign(server, added)

  /** Graph accepts a subscription only after its addresses have returned the validation token. */
  async function start(request: Omit<SentSubscription, 'id'>): Promise<ProviderAnswer> {
    const { notificationUrl, lifecycleNotificationUrl: lifecycleUrl } = request
    const urls = [notificationUrl, ...(lifecycleUrl === undefined ? [] : [lifecycleUrl])]
    if (urls.some((url) => !url.startsWith('https://')) || isTooLong(request))
      return refuse(400, 'InvalidRequest')
    for (const url of urls) if (!(await isValidated(url))) return refuse(400, 'ValidationError')
    const subscription = { id: randomUUID(), ...request }
    opened.subscriptions.push(subscription)
    return { status: 201, body: subscription }
  }

  /** For transcripts, more than an hour needs an address for events of the subscription. */
  function isTooLong(request: Omit<SentSubscription, 'id'>): boolean {
    const minutes = (Date.parse(request.expirationDateTime) - now().getTime()) / 60_000
    if (!request.resource.endsWith('/getAllTranscripts')) return minutes > MAX_MINUTES.events
    return minutes > (request.lifecycleNotificationUrl === undefined ? 60 : MAX_MINUTES.transcripts)
  }

  async function isValidated(address: string): Promise<boolean> {
    const token = `Validation: Testing client application ${randomUUID()}`
    const url = `${opened.serviceOrigin}${new URL(address).pathname}?validationToken=${encodeURIComponent(token)}`
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    const response = await fetch(url, { method: 'POST', headers })
    const isPlain = response.headers.get('content-type')?.startsWith('text/plain') === true
    return response.status === 200 && isPlain && (await response.text()) === token
  }
  return opened
}

function refuse(status: number, code: string): ProviderAnswer {
  return { status, body: { error: { code, message: code } } }
}
