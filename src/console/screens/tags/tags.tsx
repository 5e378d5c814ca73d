import { NamedList } from '../named/named-list.js';

export default function Tags() {
  return <NamedList path="/product-tags" kind="tag" title="tags" permission="tags.manage" />;
}
