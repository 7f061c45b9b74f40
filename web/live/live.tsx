import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { forgetUser } from '../app-state.tsx'
import { createLive, type Live, type LiveEvent, type LiveState } from './connection.ts'

const LiveContext = createContext<Live<LiveEvent> | null>(null)

/** Opens the tab's stream while somebody is signed in. What it brings makes lists and pages read anew. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [live] = useState(() =>
    createLive<LiveEvent>({
      path: '/web/events/stream',
      onSignedOut: () => forgetUser(queries),
    }),
  )
  useEffect(() => live.start(), [live])
  return <LiveContext value={live}>{children}</LiveContext>
}

export function useLive(): Live<LiveEvent> {
  const live = use(LiveContext)
  if (!live) throw new Error('useLive needs a LiveProvider above it')
  return live
}

export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.onState, live.state)
}

export function useLiveEvents(onEvent: (event: LiveEvent) => void): void {
  const live = useLive()
  const handle = useEffectEvent(onEvent)
  useEffect(() => live.onEvent((event) => handle(event)), [live])
}

/** Also at once when the stream is open already. */
export function useLiveOpen(onOpen: () => void): void {
  const live = useLive()
  const handle = useEffectEvent(onOpen)
  useEffect(() => {
    if (live.state() === 'open') handle()
    return live.onOpen(() => handle())
  }, [live])
}
