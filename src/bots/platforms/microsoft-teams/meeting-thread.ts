import { z } from 'zod'

/** What a link to a meeting without a number tells about it. */
export type MeetingThread = z.output<typeof threadShape>

const guid = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .toLowerCase()

const threadShape = z.object({
  threadId: z.string().regex(/^19:[A-Za-z0-9_=-]{1,200}@thread\.(?:v2|tacv2|skype)$/),
  /** `0`, or the moment of the message in the channel. */
  messageId: z.string().regex(/^\d{1,20}$/),
  tenantId: guid,
  organizerId: guid.optional(),
})

const contextShape = z.object({ Tid: z.unknown().optional(), Oid: z.unknown().optional() })

const coordsShape = z.object({
  conversationId: z.unknown().optional(),
  messageId: z.union([z.string(), z.int().transform(String)]).default('0'),
  tenantId: z.unknown().optional(),
  organizerId: z.unknown().optional(),
})

/** From the parts of a classic link, whose context is JSON. */
export function parseThreadContext(
  threadId: string,
  messageId: string,
  context: string,
): MeetingThread | null {
  const { data } = contextShape.safeParse(fromJson(context))
  if (data === undefined) return null
  return toThread({ threadId, messageId, tenantId: data.Tid, organizerId: data.Oid })
}

/** From the base64 of a light meeting. Its plus signs may have become spaces on the way, its padding may be lost. */
export function parseLightMeetingCoords(coords: string): MeetingThread | null {
  const json = Buffer.from(coords.replaceAll(' ', '+'), 'base64').toString('utf8')
  const { data } = coordsShape.safeParse(fromJson(json))
  if (data === undefined) return null
  const { conversationId, messageId, tenantId, organizerId } = data
  return toThread({ threadId: conversationId, messageId, tenantId, organizerId })
}

function toThread(parts: Record<keyof MeetingThread, unknown>): MeetingThread | null {
  // Some makers of links write an organizer they do not know as null or as an empty text.
  const organizerId = parts.organizerId || undefined
  return threadShape.safeParse({ ...parts, organizerId }).data ?? null
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
