import React, { useState } from "react";
import { Button } from "../ui/Button";

interface Props {
  title: string;
  onClose?: () => void;
}

/** A card with a title. */
export const Card: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);

  return (
    <section>
      {/* function commented() {} */}
      <Button onClick={() => toggle()}>function inText()</Button>
      {title.split(" ").map((word) => (
        <b key={word}>{word}</b>
      ))}
    </section>
  );
};

export function List<T,>({ items }: { items: T[] }) {
  function renderItem(item: T) {
    return <li>{String(item)}</li>;
  }
  return <ul>{items.map(renderItem)}</ul>;
}

export default class Panel extends React.Component<Props> {
  state = { open: true };

  render() {
    return <Card {...this.props} />;
  }
}
