import { z } from 'zod'
import { Warnings } from './common.ts'

export const ReceiverResponseAccepted = z.object({ success: z.literal(true), warnings: Warnings })
