import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState, type ReactNode } from 'react'
import { PHONE } from '../breakpoints.ts'

interface DialogProps {
  title: string
  size?: 'md' | 'lg'
  onClose: () => void
  /** Escape and clicks outside do not close the dialog: it shows a secret that cannot be shown again. */
  isPersistent?: boolean
  children: ReactNode
}

/** The dialog is open while it is rendered: `{isOpen && <Dialog …/>}`. */
export function Dialog({ title, size = 'md', onClose, isPersistent, children }: DialogProps) {
  useFocusReturn()
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered={!isPhone}
      fullScreen={isPhone}
      closeOnEscape={!isPersistent}
      closeOnClickOutside={!isPersistent}
      withCloseButton={!isPersistent}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      padding="lg"
      // Screen readers would announce Mantine's <header> as a second page banner.
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
