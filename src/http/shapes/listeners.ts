import { z } from 'zod'
import { DELIVERY_ERRORS } from '../../deliveries/network/transport.ts'
import { Warnings } from './common.ts'

export const ListenerParams = z.object({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'Must be 1 to 64 letters, digits, dots, hyphens or underscores, starting with a letter or digit',
    ),
})
export const ReceiverResponseBody = z.object({
  deliveryId: z.string().min(1).max(100),
  status: z.int().min(100).max(999).nullable(),
  error: z.enum(DELIVERY_ERRORS).nullable(),
  answer: z.string().max(2_048),
  durationMs: z.number().min(0).max(600_000),
})
export const ReceiverResponseAccepted = z.object({ success: z.literal(true), warnings: Warnings })
