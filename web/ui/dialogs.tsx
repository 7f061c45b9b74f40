import { useMediaQuery } from '@mantine/hooks'
import { Stack, Group, Button, Text, Modal } from '@mantine/core'
import { type ReactNode, useState, useEffect } from 'react'
import { PHONE_MEDIA_QUERY } from './breakpoints.ts'
import { markDirectionControls } from './format/format-text.ts'
import { ErrorBox } from './feedback/feedback.tsx'
import type { ApiClient } from '../api/client.ts'
import type { DataName } from '../api/use-api.tsx'
import { ActionButton, Form, FormButtons, useRequest } from './forms.tsx'

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

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  /** Label of the button that closes the dialog, for actions that are called "Cancel" themselves. */
  dismissLabel?: string
  /** Runs the action. The dialog closes if it succeeds, and shows the error if it fails. */
  onConfirm: (api: ApiClient) => Promise<unknown>
  /** Data that is reloaded before the dialog closes. */
  reloads?: readonly DataName[]
  /** True if the dialog's content explains this error, so that it is not shown. */
  isExplained?: (error: unknown) => boolean
  onClose: () => void
  children: ReactNode
}

/** The dialog is open while it is rendered: `{selected && <ConfirmDialog …/>}`. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, dismissLabel = 'Cancel', onClose, children } = props
  const { isExplained = () => false } = props
  const action = useRequest(props.onConfirm, props.reloads, onClose)
  return (
    <Dialog title={title} onClose={onClose} isShort>
      <Stack>
        <div>{children}</div>
        {!isExplained(action.error) && <ErrorBox error={action.error} />}
        <Group justify="flex-end" className="confirm-buttons">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismissLabel}
          </Button>
          <ActionButton color="red.9" action={action}>
            {confirmLabel}
          </ActionButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface FormDialogProps<Answer> {
  title: string
  size?: 'md' | 'lg'
  submitLabel: string
  isDisabled?: boolean
  /** Its error is shown at the fields or below them. */
  onSubmit: (api: ApiClient, values: FormData) => Promise<Answer>
  /** Data that is reloaded before the dialog closes. */
  reloads?: readonly DataName[]
  /** Called with the result of `onSubmit` after the dialog was closed. */
  onSaved?: (answer: Answer) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with fields, Cancel and a submit button. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  const { title, size = 'md', submitLabel, isDisabled = false, onClose, children } = props
  const action = useRequest(props.onSubmit, props.reloads, (answer) => {
    onClose()
    props.onSaved?.(answer)
  })
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <Form action={action}>
        {children}
        <FormButtons isRunning={action.isRunning} isDisabled={isDisabled} onCancel={onClose}>
          {submitLabel}
        </FormButtons>
      </Form>
    </Dialog>
  )
}

interface ConfirmButtonProps {
  label: string
  /** Names the button's subject, for a list where every row has this button. */
  ariaLabel: string
  /** The question after the first click. */
  question: string
  confirmLabel: string
  onConfirm: (api: ApiClient) => Promise<unknown>
  reloads?: readonly DataName[]
}

/** A button that asks for confirmation in its place, for use inside dialogs. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, ariaLabel, question, confirmLabel } = props
  const [isAsking, setAsking] = useState(false)
  const action = useRequest(props.onConfirm, props.reloads, () => setAsking(false))
  const ask = () => setAsking(true)
  if (!isAsking)
    return (
      <Button variant="default" size="xs" flex="none" aria-label={ariaLabel} onClick={ask}>
        {label}
      </Button>
    )
  return (
    <Stack gap="xs" role="group" aria-label={ariaLabel}>
      <Text size="sm">{question}</Text>
      <ErrorBox error={action.error} />
      <Group gap="xs">
        <ActionButton color="red.9" size="xs" action={action} autoFocus>
          {confirmLabel}
        </ActionButton>
        <Button variant="default" size="xs" onClick={() => setAsking(false)}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
