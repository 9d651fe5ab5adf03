import css from './Billing.module.css'
import { isAboveZero, money } from './money.ts'
import * as texts from './texts.ts'

type Props = {
  /** A description of what the amount is for. */
  what: string
  /** The amount before the discount. */
  amount: string
  discount: string
  total: string
  currency: string
}

/** The items of today's payment. */
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
          <td style={{ color: 'var(--ok)' }}>{money(`-${discount}`, currency)}</td>
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
