import type { Gate, Pass } from '../../../src/deliveries/gate.ts'
import type { SlotLimits } from '../../../src/deliveries/slots.ts'

type Place = { url: string; token: string; isTroubled: boolean }

/** Whether a gate that nobody uses has fewer places than it should. */
export function hasLeak(gate: Gate, limits: SlotLimits): boolean {
  const room = (places: readonly Place[]) => {
    const passes = places.map((place) => gate.tryEnter({ ...place, headAt: 0 }))
    const given = passes.filter((pass): pass is Pass => pass !== null)
    for (const pass of given) pass.leave('unused')
    return given.length === places.length
  }
  const fill = (length: number, place: (i: number) => Place) =>
    room(Array.from({ length }, (_, i) => place(i)))
  const isWhole =
    fill(limits.total, (i) => ({ url: `http://o${i}.test/`, token: `t${i}`, isTroubled: false })) &&
    fill(Math.min(limits.allTroubled, limits.total), (i) => ({
      url: `http://o${i}.test/`,
      token: 't',
      isTroubled: true,
    }))
  return !isWhole
}
