import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState, type ReactNode } from 'react'
import { PHONE_MEDIA_QUERY } from '../breakpoints.ts'
import { markDirectionControls } from '../format/format-text.ts'

const WIDTHS = { md: 'md', lg: 'lg', wide: 1040 } as const

interface DialogProps {
  title: string
  size?: keyof typeof WIDTHS
  onClose: () => void
  /** True for a dialog with a secret that can't be shown again. Escape and clicks outside do not close it. */
  isPersistent?: boolean
  /** True for a question without fields. On phones it is a card and does not fill the screen. */
  isShort?: boolean
  children: ReactNode
}

/** The dialog is open while it is rendered: `{isOpen && <Dialog …/>}`. */
export function Dialog(props: DialogProps) {
  const { title, size = 'md', onClose, isPersistent, isShort, children } = props
  useFocusReturn()
  const isPhone = useMediaQuery(PHONE_MEDIA_QUERY, false, { getInitialValueInEffect: false })
  const isFullScreen = isPhone && !isShort
  return (
    <Modal
      opened
      onClose={onClose}
      title={markDirectionControls(title)}
      size={WIDTHS[size]}
      centered={!isFullScreen}
      fullScreen={isFullScreen}
      closeOnEscape={!isPersistent}
      closeOnClickOutside={!isPersistent}
      withCloseButton={!isPersistent}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      padding="lg"
      // Without this role, screen readers announce the <header> of Mantine's dialog as a second page banner.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontSize: '1.2rem', fontWeight: 650, lineHeight: 1.35 } }}
    >
      {children}
    </Modal>
  )
}

/** When the dialog closes, focuses the button that opened it, or the page if that button was removed. */
function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      const hasOpener = opener instanceof HTMLElement && opener.isConnected
      const target = hasOpener ? opener : document.getElementById('main')
      target?.focus()
    }
  }, [opener])
}
