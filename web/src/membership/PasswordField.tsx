import { TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import * as texts from './texts.ts'

/**
 * A password field with a button to show the password. (Mantine's adds 3 kB and its button is not reachable by
 * keyboard.)
 */
export function PasswordField(field: TextInputProps) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? IconEyeOff : IconEye
  return (
    <TextInput
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSectionPointerEvents="all"
      rightSection={
        <IconButton label={isShown ? texts.hidePassword : texts.showPassword} onClick={() => setShown(!isShown)}>
          <Icon size={18} aria-hidden />
        </IconButton>
      }
      {...field}
    />
  )
}
