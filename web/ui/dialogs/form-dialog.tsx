import type { ReactNode } from 'react'
import { Form, FormButtons, useAction } from '../forms/form.tsx'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  title: string
  size?: 'md' | 'lg'
  submitLabel: string
  isDisabled?: boolean
  /** Shows its error at the fields or below them. It closes the dialog itself. */
  onSubmit: (values: FormData) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A dialog with fields, Cancel and a submit button. */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'md', submitLabel, isDisabled = false, onClose, children } = props
  const action = useAction(props.onSubmit)
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
