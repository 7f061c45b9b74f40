/** One callback from a receiver's point of view. */
export type CountedCall = {
  sequence: number
  type: string
  body: Buffer
  /** The id of the attempt. */
  deliveryId: string
  /** True if the receiver answered with 2xx. */
  isAccepted: boolean
}

export type DeliveryCounts = {
  /** Stored events. */
  events: number
  /** Stored events that no receiver accepted. */
  lost: number
  /** Reused ids: an attempt with the id of another attempt, or an event with the sequence of another event. */
  doubled: number
  /** Stored events that first arrived after a later event. */
  outOfOrder: number
  /** Partial captions that arrived after a later event. */
  latePartials: number
  /** Events that arrived but are not stored. */
  unknown: number
  /** Events that were accepted more than once, with the same bytes. Delivery "at least once" allows this. */
  repeats: number
}

const PARTIAL = 'caption_partial'

/** Compares a meeting's callbacks, in the order of arrival, with its stored events. */
export function countDeliveryErrors(
  calls: readonly CountedCall[],
  storedSequences: readonly number[],
): DeliveryCounts {
  const stored = new Set(storedSequences)
  const bodies = new Map<number, Buffer>()
  const deliveryIds = new Set<string>()
  const accepted = new Set<number>()
  const counts = { ...NO_DELIVERIES, events: stored.size }
  let highest = 0
  for (const { sequence, type, body, deliveryId, isAccepted } of calls) {
    const known = bodies.get(sequence)
    if (known !== undefined && !known.equals(body)) counts.doubled += 1
    if (deliveryIds.has(deliveryId)) counts.doubled += 1
    if (known === undefined && sequence < highest)
      counts[type === PARTIAL ? 'latePartials' : 'outOfOrder'] += 1
    bodies.set(sequence, body)
    deliveryIds.add(deliveryId)
    highest = Math.max(highest, sequence)
    if (type === PARTIAL) continue
    if (!stored.has(sequence)) counts.unknown += 1
    if (isAccepted && accepted.has(sequence)) counts.repeats += 1
    if (isAccepted) accepted.add(sequence)
  }
  counts.lost = [...stored].filter((sequence) => !accepted.has(sequence)).length
  return counts
}

export const NO_DELIVERIES: DeliveryCounts = {
  events: 0,
  lost: 0,
  doubled: 0,
  outOfOrder: 0,
  latePartials: 0,
  unknown: 0,
  repeats: 0,
}

export function addCounts(a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts {
  const names = Object.keys(NO_DELIVERIES) as Array<keyof DeliveryCounts>
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as DeliveryCounts
}

/** The kinds of errors that occurred. */
export function describeErrors(counts: DeliveryCounts): string[] {
  const names = Object.keys(LABELS) as Array<keyof typeof LABELS>
  return names
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} events ${LABELS[name]}`)
}

const LABELS = {
  lost: 'lost',
  doubled: 'with a doubled id',
  outOfOrder: 'out of order',
  latePartials: 'of partial captions that are late',
  unknown: 'arrived but are not stored',
}
