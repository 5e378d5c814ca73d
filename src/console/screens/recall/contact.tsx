import { NONE } from '../../values/formats.js';
import { phone } from '../../values/contacts.js';
import type { Buyer } from './buyers-of.js';

/** How to reach who bought it: a touch calls or writes. */
export function Contact({ customer }: { readonly customer: Buyer['customer'] | null }) {
  if (!customer?.phone && !customer?.email) return <>{NONE}</>;
  return (
    <span class="contact">
      {customer.phone && (
        <a href={`tel:${customer.phone}`} class="whole">
          {phone(customer.phone)}
        </a>
      )}
      {customer.phone && customer.email && ' · '}
      {customer.email && <a href={`mailto:${customer.email}`}>{customer.email}</a>}
    </span>
  );
}
