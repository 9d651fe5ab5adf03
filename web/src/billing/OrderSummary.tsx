import { isAboveZero, money } from './money.ts'
import css from './OrderSummary.module.css'
import * as texts from './texts.ts'

type Props = {
  /** What the amount is for. */
  what: string
  /** Before the discount. */
  amount: string
  discount: string
  total: string
  currency: string
}

/** What is paid today, line by line. */
export const OrderSummary = ({ what, amount, discount, total, currency }: Props) => (
  <table className={css.summary}>
    <caption className="sr">{texts.summary}</caption>
    <tbody>
      <tr>
        <th scope="row">{what}</th>
        <td>{money(amount, currency)}</td>
      </tr>
      {isAboveZero(discount) && (
        <tr>
          <th scope="row">{texts.discount}</th>
          <td className={css.less}>{money(`-${discount}`, currency)}</td>
        </tr>
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">{texts.total}</th>
        <td>{money(total, currency)}</td>
      </tr>
    </tfoot>
  </table>
)
