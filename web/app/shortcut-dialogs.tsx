import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useMenuPages } from './layout/menu-pages.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'

const Palette = lazy(async () => ({
  default: (await import('./command-palette/command-palette.tsx')).CommandPalette,
}))
const KeyDialog = lazy(async () => ({
  default: (await import('./command-palette/keyboard-shortcuts-dialog.tsx'))
    .KeyboardShortcutsDialog,
}))
const NewTokenDialog = lazy(async () => ({
  default: (await import('../account/tokens/new-token-dialog.tsx')).NewTokenDialog,
}))

type OpenDialog = 'palette' | 'keys' | 'token' | null

interface ShortcutDialogs {
  openSearch: () => void
  openShortcuts: () => void
  /** The open dialog. The layout renders it. */
  dialogs: ReactNode
}

/** Binds the shortcuts that work on every page, and opens the command palette and the list of shortcuts. */
export function useShortcutDialogs(): ShortcutDialogs {
  const navigate = useNavigate()
  const pages = useMenuPages()
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  const closeOnly = (dialog: OpenDialog) => () =>
    setOpen((current) => (current === dialog ? null : current))
  // Ctrl+K (⌘K on a Mac) opens the command palette even while a text field has the focus.
  useHotkeys([['mod+K', () => setOpen('palette')]], [], true)
  useShortcuts({
    ...Object.fromEntries(pages.map(({ keys, to }) => [keys, () => void navigate({ to })])),
    '?': () => setOpen('keys'),
  })
  const dialogs = (
    <Suspense>
      {open === 'palette' && (
        <Palette
          onClose={closeOnly('palette')}
          onNewToken={() => setOpen('token')}
          onShowShortcuts={() => setOpen('keys')}
        />
      )}
      {open === 'keys' && <KeyDialog onClose={close} />}
      {open === 'token' && <NewTokenDialog onClose={close} />}
    </Suspense>
  )
  return {
    openSearch: () => setOpen('palette'),
    openShortcuts: () => setOpen('keys'),
    dialogs,
  }
}
