import { z } from 'zod'

/** The meeting that a link without a meeting number names. */
export type MeetingThread = z.output<typeof threadShape>

const guid = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .toLowerCase()

const threadShape = z.object({
  threadId: z.string().regex(/^19:[A-Za-z0-9_=-]{1,200}@thread\.(?:v2|tacv2|skype)$/),
  /** The timestamp of the channel message that announces the meeting; `0` for a meeting outside a channel. */
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

/** Parses a classic link, whose context is JSON. */
export function parseThreadFromLinkContext(
  threadId: string,
  messageId: string,
  context: string,
): MeetingThread | null {
  const { data } = contextShape.safeParse(fromJson(context))
  if (data === undefined) return null
  return toThread({ threadId, messageId, tenantId: data.Tid, organizerId: data.Oid })
}

/**
 * Parses the base64 of a light meeting link. Copying may have turned its plus signs into spaces and dropped its
 * padding.
 */
export function parseThreadFromLightMeetingCoords(coords: string): MeetingThread | null {
  const json = Buffer.from(coords.replaceAll(' ', '+'), 'base64').toString('utf8')
  const { data } = coordsShape.safeParse(fromJson(json))
  if (data === undefined) return null
  const { conversationId, messageId, tenantId, organizerId } = data
  return toThread({ threadId: conversationId, messageId, tenantId, organizerId })
}

function toThread(parts: Record<keyof MeetingThread, unknown>): MeetingThread | null {
  // Some link generators write an unknown organizer as null or as an empty string.
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
