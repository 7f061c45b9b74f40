import { PasswordInput, TextInput } from '@mantine/core'
import type { ChangeEventHandler, ReactNode } from 'react'
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
  hasAutofocus?: boolean
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
  description?: ReactNode
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(field: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
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

export const PASSWORD_ADVICE =
  'Use 15 characters or more, for example four unrelated words. Spaces are allowed.'
