import { z } from 'zod'

/** Subscriptions of Microsoft Graph v1.0 to notifications without resource data, so without a certificate for it. */

type SubscriptionFields = {
  resource: string
  changeType: string
  /** The address that Microsoft sends notifications to. */
  url: string
  /** Sent with each notification. */
  token: string
  expiresAt: Date
}

const MAX_ID_CHARS = 2_000

export const GraphSubscription = z.object({
  id: z
    .string()
    .max(MAX_ID_CHARS)
    .regex(/^[!-~]+$/),
  expirationDateTime: z.string().max(50),
})

export function toGraphSubscription(fields: SubscriptionFields) {
  const { resource, changeType, url, token, expiresAt } = fields
  return {
    changeType,
    notificationUrl: url,
    resource,
    expirationDateTime: expiresAt.toISOString(),
    clientState: token,
  }
}

/** When the subscription ends: as Microsoft answers, or as requested if that is not a time. */
export function readExpiry(
  { expirationDateTime }: { expirationDateTime: string },
  requested: Date,
): Date {
  const at = new Date(expirationDateTime)
  return Number.isNaN(at.getTime()) ? requested : at
}
