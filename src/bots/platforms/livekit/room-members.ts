import type { CallContext } from '../sound-call/sound-call.ts'
import { clientSignals, type RoomMember } from './signals.ts'

/** The participants of a room, and which of their sound the bot asked for. */
export type RoomMembers = ReturnType<typeof createRoomMembers>

/** Voices of participants, by their stays. The limit keeps a hostile server from filling the memory. */
const MAX_VOICES = 2_000

type Options = Pick<CallContext, 'members' | 'voices' | 'setSpeaker' | 'endVoice'> & {
  send(signal: Uint8Array): void
}

export function createRoomMembers({ members, voices, setSpeaker, endVoice, send }: Options) {
  /** Everybody else in the room, by the id of the stay. */
  const stays = new Map<string, RoomMember>()
  const voicesOfStays = new Map<string, Set<string>>()
  const subscribed = new Set<string>()
  let voiceCount = 0
  let self: RoomMember | null = null

  function apply(member: RoomMember): void {
    const { sid, identity, name, isHost, isPresent } = member
    if (sid === self?.sid) {
      self = member
      return
    }
    const isNew = !stays.has(sid)
    if (isPresent) stays.set(sid, member)
    else if (!stays.delete(sid)) return
    if (isPresent) voices.rename(sid, name)
    else endVoicesOf(sid)
    // Somebody who joined again is there under the same identity before the earlier stay ends.
    const isElsewhere = [...stays.values()].some((stay) => stay.identity === identity)
    if (isPresent || !isElsewhere)
      members.apply({ id: identity, name, isPresent, isHost }, { isNew })
  }
  function endVoicesOf(sid: string): void {
    for (const key of voicesOfStays.get(sid) ?? []) endVoice(key)
    voicesOfStays.delete(sid)
  }
  const listTracks = () => [...stays.values()].flatMap(({ audioTracks }) => audioTracks)
  /** Asks for the sound of all participants, without their video. */
  function subscribe(): void {
    const readable = listTracks().filter(({ isEncrypted }) => !isEncrypted)
    const wanted = readable.map(({ sid }) => sid)
    const added = wanted.filter((sid) => !subscribed.has(sid))
    subscribed.clear()
    for (const sid of wanted) subscribed.add(sid)
    if (added.length > 0) send(clientSignals.subscribe(added))
  }

  return {
    join(own: RoomMember, others: readonly RoomMember[]) {
      self = own
      members.setSelf(own.identity)
      others.forEach(apply)
      subscribe()
    },
    change(changed: readonly RoomMember[]) {
      changed.forEach(apply)
      subscribe()
    },
    mayWrite: () => self?.mayWrite === true,
    /** When the bot joined, by the clock of the server. */
    joinedAtMs: () => self?.joinedAtMs ?? 0,
    /** The tracks that the bot asked for. */
    subscribedTracks: () => [...subscribed],
    /** True if participants have microphones, and each of them encrypts its sound. */
    isAllEncrypted() {
      const tracks = listTracks()
      return tracks.length > 0 && tracks.every(({ isEncrypted }) => isEncrypted)
    },
    /** The voice of a stream; null if its participant is unknown. */
    findVoice(streamId: string): string | null {
      // The server names a stream by the stay of its participant and the track.
      const sid = streamId.split('|', 1)[0] ?? ''
      const stay = stays.get(sid)
      if (stay === undefined) return null
      const keys = voicesOfStays.get(sid) ?? new Set()
      voicesOfStays.set(sid, keys)
      if (keys.has(streamId)) return streamId
      if (voiceCount >= MAX_VOICES) return null
      voiceCount += 1
      keys.add(streamId)
      setSpeaker(streamId, { participantId: sid, name: stay.name })
      return streamId
    },
  }
}
