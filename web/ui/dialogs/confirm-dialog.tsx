import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { ErrorBox } from '../feedback/feedback.tsx'
import { useAction } from '../forms/form.tsx'

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  /** Label of the button that closes the dialog, for actions that are called "Cancel" themselves. */
  dismissLabel?: string
  /** Runs the action. The dialog closes if it succeeds, and shows the error if it fails. */
  onConfirm: () => Promise<void>
  /** True if the dialog's content explains this error, so that it is not shown. */
  isExplained?: (error: unknown) => boolean
  onClose: () => void
  children: ReactNode
}

/** The dialog is open while it is rendered: `{selected && <ConfirmDialog …/>}`. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, dismissLabel = 'Cancel', onConfirm, onClose, children } = props
  const { isExplained = () => false } = props
  const action = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose} isShort>
      <Stack>
        <div>{children}</div>
        {action.error && !isExplained(action.error) ? <ErrorBox error={action.error} /> : null}
        <Group justify="flex-end" className="confirm-buttons">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismissLabel}
          </Button>
          <Button color="red.9" loading={action.isRunning} onClick={() => void action.run()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
