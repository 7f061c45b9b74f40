import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Binds single-key shortcuts while no text field has the focus. `g m` means `g`, then `m`. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const press = useEffectEvent((pressed: string, event: KeyboardEvent) => {
    const act = keys[pressed]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    let last = ''
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || !areSingleKeyShortcutsEnabled()) return
      const pressed = last === 'g' ? `g ${event.key}` : event.key
      last = event.key
      press(pressed, event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('[role="dialog"], [role="menu"]') !== null)
  )
}

const STORAGE_KEY = 'hansard-keys'
const listeners = new Set<() => void>()

/** True if single-key shortcuts are on. Stored in localStorage, and on by default. */
function areSingleKeyShortcutsEnabled(): boolean {
  return window.localStorage.getItem(STORAGE_KEY) !== 'off'
}

/** Single-key shortcuts can be turned off, because speech input triggers them by accident (WCAG 2.1.4). */
export function useSingleKeyShortcutsSetting(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areSingleKeyShortcutsEnabled)
  return [isOn, setShortcutsEnabled]
}

function setShortcutsEnabled(isOn: boolean): void {
  if (isOn) window.localStorage.removeItem(STORAGE_KEY)
  else window.localStorage.setItem(STORAGE_KEY, 'off')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
