import { NamedList } from '../named/named-list.js';

export default function Brands() {
  return <NamedList path="/brands" kind="brand" title="brands" permission="brands.manage" />;
}
