import { z } from 'zod'
import { Warnings } from './common.ts'

export const ListenerAnswered = z.object({ success: z.literal(true), warnings: Warnings })
