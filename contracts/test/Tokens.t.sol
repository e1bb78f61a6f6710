// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";

/// @dev A token that keeps its word. The others misbehave in one way each.
contract PlainToken {
    uint256 public decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Keeps a hundredth of what is sent.
contract FeeToken is PlainToken(6) {
    function _move(address from, address to, uint256 amount) internal override {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount / 100;
    }
}

/// @dev Takes a hundredth more than what is sent from the contract it was told of.
contract FeeOnTopToken is PlainToken(6) {
    address public victim;

    function charge(address victim_) external {
        victim = victim_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        balanceOf[from] -= from == victim ? amount + amount / 100 : amount;
        balanceOf[to] += amount;
    }
}

/// @dev Gives what was promised and more.
contract GenerousToken is PlainToken(6) {
    function _move(address from, address to, uint256 amount) internal override {
        balanceOf[from] -= amount;
        balanceOf[to] += amount * 2;
    }
}

/// @dev Burns what the receiver had when it is sent anything.
contract BurningToken is PlainToken(6) {
    bool public burning;

    function burn() external {
        burning = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        balanceOf[from] -= amount;
        balanceOf[to] = burning ? 0 : balanceOf[to] + amount;
    }
}

/// @dev Says false instead of failing, when told to, and moves nothing.
contract FalseToken is PlainToken(6) {
    bool public refusing;

    function refuse() external {
        refusing = true;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (refusing) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        if (refusing) return false;
        _move(from, to, amount);
        return true;
    }
}

/// @dev Fails for whom it has on its list.
contract BlockingToken is PlainToken(6) {
    mapping(address => bool) public blocked;

    function setBlocked(address account, bool blocked_) external {
        blocked[account] = blocked_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!blocked[from] && !blocked[to], "blocked");
        super._move(from, to, amount);
    }
}

/// @dev Takes away a part of every balance when told to.
contract RebasingToken is PlainToken(6) {
    function shrink(address account, uint256 by) external {
        balanceOf[account] -= by;
    }
}

/// @dev Calls the boost contract while it moves money; passes on what that said.
contract ReentrantToken is PlainToken(6) {
    TokenBoost private _boost;
    bytes private _data;

    function attack(TokenBoost boost, bytes calldata data) external {
        _boost = boost;
        _data = data;
    }

    function own(TokenBoost boost) external {
        boost.acceptOwnership();
    }

    function forward(TokenBoost boost, bytes calldata data) external {
        _forward(address(boost), data);
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (address(_boost) != address(0)) _forward(address(_boost), _data);
    }

    function _forward(address to, bytes memory data) private {
        (bool done, bytes memory answer) = to.call(data);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}

/// @dev Answers a transfer with nothing, as the oldest tokens do.
contract SilentToken {
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address, uint256) external pure returns (bool) {
        return true;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
