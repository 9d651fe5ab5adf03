import { toastError } from '../ui/toast.ts'

/** `trouble`: what is said, with the server's reason, where it is refused. */
type Tell = (wish: () => Promise<unknown>, trouble: string) => Promise<void>

/**
 * Tells the server of changes that people make faster than it answers: one after the other, and `renew` asks what it has
 * once nothing waits. An answer from between two moves would put the row back that has been moved on since.
 */
export function inTurn(renew: () => Promise<unknown>): Tell {
  let turn = Promise.resolve()
  let waiting = 0
  const done = () => {
    waiting -= 1
    if (waiting === 0) void renew()
  }
  return (wish, trouble) => {
    waiting += 1
    turn = turn
      .then(wish)
      .catch((error) => void toastError(trouble, error))
      .then(done)
    return turn
  }
}
