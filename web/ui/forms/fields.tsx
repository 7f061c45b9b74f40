import { PasswordInput, TextInput } from '@mantine/core'
import type { ChangeEventHandler, ReactNode } from 'react'
import { PASSWORD_HINT } from '../../../src/http/shapes/values.ts'
import { useFieldError } from './form.tsx'

interface FieldProps {
  name: string
  label: string
  description?: ReactNode
  autoComplete?: string
  type?: 'text' | 'email'
  defaultValue?: string
  maxLength?: number
  isOptional?: boolean
  /** The first field of a dialog, which gets the focus when the dialog opens. */
  hasAutofocus?: boolean
  /** The first field of a page, which gets the focus when the page opens. */
  autoFocus?: boolean
  onChange?: ChangeEventHandler<HTMLInputElement>
}

export function TextField({ isOptional = false, hasAutofocus = false, ...field }: FieldProps) {
  return (
    <TextInput
      {...field}
      error={useFieldError(field.name)}
      required={!isOptional}
      withAsterisk={false}
      data-autofocus={hasAutofocus || undefined}
    />
  )
}

interface PasswordFieldProps {
  name: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
}

export function PasswordField(field: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      description={field.autoComplete === 'new-password' ? PASSWORD_HINT : undefined}
      error={useFieldError(field.name)}
      required
      withAsterisk={false}
      maxLength={1024}
      visibilityToggleFocusable
      // The toggle is not named "Show password", so that only the field itself matches the label "Password".
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters' }}
    />
  )
}
