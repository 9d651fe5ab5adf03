type ConfirmHandler = (data: unknown) => Promise<boolean>

let confirm: ConfirmHandler | undefined

/** Sets what asks staff to confirm that it is them: the back office brings its own dialog. */
export const setConfirmation = (handler: ConfirmHandler): void => {
  confirm = handler
}

/** True once they have confirmed; false where they cancel. Undefined outside the back office. */
export const confirmIdentity = (data: unknown) => confirm?.(data)
